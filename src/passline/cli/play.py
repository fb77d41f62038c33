"""`passline play`, `serve`, `bot`, `replay`: sit down at a table, hold tables for others, send a strategy to one."""

from __future__ import annotations

import getpass
import json
import os
import socket
import sys
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import passline
from passline.cli.command import With, command
from passline.cli.journal import keys_path
from passline.cli.printing import REFUSED, fail, printable
from passline.errors import CannotBeSeated, ServiceError
from passline.files.amounts import cents, positive
from passline.files.needed import EXTRAS, missing
from passline.files.reading import read_bytes, read_stream

if TYPE_CHECKING:
    from passline.client.sitting import Evening
    from passline.engine.layout import Layout
    from passline.record.record import Record
    from passline.sitting.door import Setup
    from passline.table import Table
    from passline.terminal.run import Outcome

SPEEDS = ("slow", "normal", "fast", "instant")
PRONOUNS = frozenset({"i", "me", "you", "he", "she", "they", "we", "it", "us", "them", "him", "her"})
CURRENCY_MAX = 4
PATIENCE_S = 10.0  # how long a player waits for a server before being told that it cannot be reached
CONNECT_S = 5
LOCAL = "http://127.0.0.1:8000"
STANDARD_INPUT = "standard input"


@command("play")
def play(
    *,
    house: Annotated[str | None, "A house's id, or the path of a house file."] = None,
    buyin: Annotated[str | None, "Chips to buy [default: 100 times the minimum bet]."] = None,
    notice: Annotated[str, 'What the table\'s sign says, such as "min=5 odds=2".'] = "",
    players: Annotated[int, typer.Option(help="How many computer players join you.")] = 2,
    guests: With = None,
    name: Annotated[str | None, "Your name at the table, one word [default: your login name]."] = None,
    dice: Annotated[bool, "Roll real dice and type what they show."] = False,
    seed: Annotated[str | None, "Practice: the same dice every time for the same seed."] = None,
    save: Annotated[str | None, "Where to save the evening [default: evening.craps]."] = None,
    resume: Annotated[str | None, "Continue a saved evening."] = None,
    journal: Annotated[
        str | None, "Where to write the journal, from which anyone can check the dice [default: beside the record]."
    ] = None,
    no_journal: Annotated[bool, "Write no journal."] = False,
    server: Annotated[str | None, "Play at the `passline serve` at this address."] = None,
    table: Annotated[str | None, "Which table to sit at [default: a new practice table]."] = None,
    link: Annotated[str | None, "The invitation link to a table."] = None,
    token: str = "",
    speed: Annotated[str, "How long dice are in the air.", "slow|normal|fast|instant"] = "normal",
    currency: Annotated[str, "Written before your money, such as $ or €.", "SIGN"] = "",
    plain: Annotated[bool, "Play in lines of text (automatic when not in a terminal)."] = False,
) -> None:
    """Take a seat at a craps table. In this terminal, or with --server at a table over the network.

    Example: `passline play --house sydney`, `passline play --resume evening.craps`, or `passline play --server
    http://127.0.0.1:8000`
    """
    from passline.sitting.door import Setup
    from passline.terminal.run import run

    if speed not in SPEEDS:
        fail(f"--speed: found {speed!r}; expected one of {', '.join(SPEEDS)}")
    if len(currency) > CURRENCY_MAX or not currency.isprintable() or any(map(str.isdigit, currency)):
        fail(f"--currency: found {currency!r}; expected a sign such as $ or €")
    seen = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))  # None: closed before us
    can_draw = seen and os.environ.get("TERM", "") not in {"", "dumb"}
    setup = Setup(
        house=house,
        buyin=buyin,
        notice=notice,
        players=players,
        guests=tuple(guests or ()),
        name=_name(name),
        typed=dice,
        seed=seed,
        save=Path(save) if save else None,
        resume=Path(resume) if resume else None,
        journal=Path(journal) if journal else None,
        beside=True,
        keys=None if no_journal else keys_path(None),
        speed=speed,
        currency=currency,
    )
    if server is not None:
        outcome = _from_afar(server, token, (table, link), setup, plain=plain or not can_draw)
    else:
        outcome = run(setup, plain=plain or not can_draw)
    if outcome.message:
        fail(outcome.message, outcome.code)
    raise typer.Exit(outcome.code)


def _name(given_name: str | None) -> str:
    """What the others call the player: as said, or as they signed in to this computer; never a pronoun."""
    if given_name is not None and given_name.casefold() in PRONOUNS:
        fail(f"--name: found {given_name!r}; expected a name, which is how the others read it")
    try:
        user = "".join(filter(str.isalnum, getpass.getuser()))
    except (OSError, KeyError, ImportError):
        user = ""
    return given_name or user.capitalize() or "Guest"


def _from_afar(server: str, token: str, where: tuple[str | None, str | None], setup: Setup, *, plain: bool) -> Outcome:
    need_serve("play --server")
    reach(server)
    from passline.client.clients import Client
    from passline.client.sitting import sit_down
    from passline.terminal.run import run

    table, link = where
    with Client(server, token, patience_s=PATIENCE_S) as client:
        try:
            if link is not None:
                table = client.come(setup.name, link).name
            buyin = None if setup.buyin is None else cents(setup.buyin, "buyin")
            sitting = sit_down(client, table, setup.house or "adelaide", setup.name, buyin)
        except (CannotBeSeated, ServiceError) as error:
            fail(f"--server: {str(error).removeprefix('--server: ')}", 1)
        sitting.currency = setup.currency
        return run(setup, sitting, plain=plain)


def need_serve(command: str) -> None:
    """Say how to get what a bare install does not have, before a port or a store is opened."""
    for package, extra in EXTRAS.items():
        if extra == "serve" and find_spec(package) is None:
            fail(str(missing(ImportError(name=package), f"passline {command}")))


def reach(server: str, option: str = "--server") -> None:
    """Say at once that no one listens at an address; a client waits for a server, but only one that is somewhere."""
    from urllib.parse import urlsplit
    from urllib.request import getproxies

    if getproxies():
        return
    try:
        address = urlsplit(server)
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), timeout=CONNECT_S).close()
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        fail(f"{option}: {server} cannot be reached: {why.lower()}. Start one with: passline serve", 1)


@command("serve")
def serve(
    *,
    journal: Annotated[str, "The journal, which has everything: a file, or postgresql://…"] = "pit.db",
    host: Annotated[str, "The address to listen on; 0.0.0.0 for the whole network."] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")] = 8000,
    keys: str | None = None,
    origin: Annotated[
        list[str] | None, "The site's public address, such as https://craps.example; only its pages may use cookies."
    ] = None,
    proxies: Annotated[str, "Addresses of proxies trusted for X-Forwarded-For."] = "",
    rate: Annotated[
        float, typer.Option(min=1, help="Requests per second allowed per person, in bursts of up to four times that.")
    ] = 50,
    newcomers: Annotated[int, "Password attempts, and new guests, allowed per address in 15 minutes."] = 50,
    house: Annotated[str, "The house whose rules apply to exclusions and promotions."] = "adelaide",
    name: Annotated[str, "This process's name, where several share a store."] = "",
    backups: Annotated[Path | None, "Folder of backups; `/metrics` reports the age of the newest."] = None,
    guests: With = None,
    quiet: Annotated[bool, "Log errors only."] = False,
    open_: Annotated[bool, "Open the page in a browser; if the port is taken, use another."] = False,
) -> None:
    """Serve tables over HTTP, and the page to play at them. PostgreSQL lets several processes share them.

    Example: `passline serve --open`
    """
    need_serve("serve")
    from passline.sitting.door import guests_of
    from passline.web.limits import Limits
    from passline.web.network import without_password
    from passline.web.serving import Setup, serve

    often = {"attempts_address_max": newcomers, "newcomers_address_max": newcomers}
    limits = Limits(requests_per_s=rate, requests_burst=int(4 * rate), **often)

    def tell(address: str, reach: tuple[str, ...]) -> None:
        others = f"; for phones and other computers at {' or '.join(reach)}" if reach else ""
        kept_at = without_password(journal)
        sentence = f"The table is at {address} in a browser{others}. Ctrl-C stops it; {kept_at} keeps everything."
        typer.echo(sentence, err=True)
        if open_ and _has_display():
            threading.Timer(0.5, webbrowser.open, (address,)).start()

    port = 0 if open_ and _is_taken(host, port) else port

    try:
        where = (journal, keys_path(keys), host, port, tuple(origin or ()), proxies)
        serve(Setup(*where, quiet, limits, house, name, backups, tuple(guests_of(guests or ()))), tell)
    except CannotBeSeated as error:
        fail(str(error))
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror or error}", 1)


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _is_taken(host: str, port: int) -> bool:
    with socket.socket() as tried:
        tried.settimeout(1)
        return bool(port) and tried.connect_ex((host, port)) == 0


@command("bot")
def bot(
    strategy: Annotated[str, "A strategy of the library, a file, or Python: molly.py:Molly.", "STRATEGY"],
    *,
    server: Annotated[str, "Where `passline serve` is."] = LOCAL,
    house: Annotated[str, "The house of a practice table."] = "adelaide",
    name: Annotated[str, "The bot's name at the table."] = "Bot",
    buyin: Annotated[str | None, "Chips to buy [default: a hundred minimum bets]."] = None,
    company: Annotated[
        int, "How many regulars of the house sit at a practice table too, and throw where the strategy cannot."
    ] = 2,
    unit: Annotated[str | None, "What one unit is worth [default: the strategy's own, or the table's minimum]."] = None,
    rolls: Annotated[int, "Leave after this many rolls."] = 100,
    table: Annotated[str | None, "A table by its name, with --token."] = None,
    link: Annotated[str | None, "A link to a table."] = None,
    token: str = "",
    quiet: Annotated[bool, "Print only the result."] = False,
    as_json: Annotated[bool, "Print the result as one JSON object."] = False,
) -> None:
    """Play a strategy at a live table. A practice table of its own, or one that you have a link or a token for.

    Example: `passline bot three_point_molly --server http://127.0.0.1:8000 --house sydney --rolls 100`
    """
    need_serve("bot")
    reach(server)
    from passline.client import Client
    from passline.client.calls import Answer
    from passline.client.sitting import Bot, take_seat
    from passline.strategies.player.python import strategy_of

    played = strategy_of(strategy)
    with Client(server, token) as client:
        if link is not None:
            seat = client.come(name, link)
        elif table is not None:
            seat = client.table(table)
        else:
            seat = client.practice(house, name=name, buyin=buyin, company=company)
        view = seat.look()
        take_seat(seat, view, None if buyin is None else cents(buyin, "buyin"))
        layout = passline.House(view.house).layout

        def tell(rolled: Answer, worth: int) -> None:
            if not quiet and not as_json:
                typer.echo(f"{rolled.dice}: {layout.money(worth)}")

        player, interrupted = Bot(seat, played, positive("unit", unit)), None
        try:
            player.play(rolls, tell)
        except KeyboardInterrupt as error:
            interrupted = error
        finally:
            seat.leave()  # its hand comes off first: nobody waits for a bot that is gone
        evening, hand = player.evening, client.hand(seat.name)
    for complaint in hand.wrong if hand is not None else ():
        typer.echo(complaint, err=True)
    _report(evening, layout, hand.rolls if hand is not None else 0, as_json=as_json)
    if interrupted is not None:
        raise interrupted


def _report(evening: Evening, layout: Layout, with_hand: int, *, as_json: bool) -> None:
    if as_json:
        refused = {wager: refusal.code for wager, refusal in evening.refused.items()}
        data = {"table": evening.table, "house": evening.house, "rolls": evening.rolls, "refused": refused}
        typer.echo(json.dumps({**data, "net": layout.money(evening.net)}))
        return
    for wager, refusal in evening.refused.items():
        typer.echo(f"{wager} was refused: {refusal.message} ({refusal.code})", err=True)
    money = layout.money(abs(evening.net))
    typer.echo(f"{evening.rolls} rolls at {evening.table}: {'won' if evening.net >= 0 else 'lost'} {money}.")
    if with_hand:
        typer.echo(f"Your hand was in {with_hand} of them; each was checked as it fell.")


@command("replay")
def replay(
    file: Annotated[str, "A record (.craps), or - for standard input."],
    *,
    as_json: Annotated[bool, "One JSON object a line: events, refusals, the table."] = False,
    strict: Annotated[bool, "Stop at the first refusal, exit code 1."] = False,
) -> None:
    """Play a record again, called and paid as it was.

    Example: `passline replay examples/hot-hand.craps`, or `passline replay --json - < evening.craps`
    """
    from passline.codec.printed import event_json, refusal_json
    from passline.telling.sentences import say

    record, lines = _read(file)
    table, out = passline.Table.opened(record), sys.stdout.write
    layout = table.house.layout
    refused = 0
    for act in record.acts:
        before = table.state
        answer = table.do(act.command)
        if isinstance(answer, passline.Refusal):
            refused += 1
            words = lines[act.line - 1].split("#", 1)[0].strip()
            no = f"line {act.line}: {words}: no: {table.say(answer)}"
            out((json.dumps(refusal_json(answer, act.line)) if as_json else printable(no)) + "\n")
            if strict:
                where = STANDARD_INPUT if file == "-" else file
                why = f"{printable(where)}:{act.line}: refused ({answer.code}): {table.say(answer)}"
                sys.stderr.write(f"{printable(why)}\nat: {table.position}\n")
                break
            continue
        for event in answer:
            out((json.dumps(event_json(layout, event)) if as_json else say(layout, before, event)) + "\n")
    out((json.dumps(table.to_json()) if as_json else _closing(table)) + "\n")
    if refused and not as_json and not strict:
        out(f"{refused} of {len(record.acts)} lines were refused; --strict stops at the first.\n")
    if strict and refused:
        raise typer.Exit(REFUSED)


def _read(file: str) -> tuple[Record, list[str]]:
    from passline.record.record import RECORD_BYTES_MAX, read_text, text_of

    where, name = (Path(), STANDARD_INPUT) if file == "-" else (Path(file).parent, file)

    def read() -> bytes:
        if file == "-":
            return read_stream(sys.stdin.buffer.read, RECORD_BYTES_MAX, STANDARD_INPUT)
        return read_bytes(Path(file), RECORD_BYTES_MAX)

    text = text_of(read, name)
    return read_text(text, where, name), text.split("\n")


def _closing(table: Table) -> str:
    money, state = table.house.layout.money, table.state
    lines = [f"-- puck {state.puck or 'off'}, {f'shooter {state.shooter}' if state.shooter else 'no shooter'}"]
    for number, seat in state.seats.items():
        up = ", ".join(f"{key} {money(wager.stake)}" for key, wager in seat.felt.items()) or "no bets up"
        lines.append(f"   seat {number}: {money(seat.rail)} on the rail; {up}")
    return "\n".join(lines)
