"""Around the table: a host and a guest by link, a void by two people, dice that are checked, houses side by side."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import check_both
from tests.browser.chromium import wait_until
from tests.browser.seat import Seat
from tests.chance import steering, villains
from tests.web.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Route

    from passline.pit.table import LiveTable
    from tests.web.server import Player

PASSWORD = "twelve red chips"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def other(browser: Browser, pit: Server) -> Iterator[Page]:
    """A second browser: somebody else."""
    context = browser.new_context(base_url=pit.address, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def sign_in(page: Page, name: str) -> None:
    """By name and password, on the page for it."""
    page.goto("/#/me")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def crewed(pit: Server, table: str, dice: str = "real", *, listed: bool = False) -> tuple[Player, Player]:
    """A table with a host and a second person, and the host's bet on its line."""
    host, second = pit.account(f"Hal-{table}"), pit.account(f"Sue-{table}")
    host.table = second.table = table
    crew = [{"person": second.person, "role": role} for role in ("box", "dealer")]
    crew.append({"person": host.person, "role": "stick"})
    opened = {"table": table, "house": "sydney", "dice": dice, "staff": crew, "listed": listed}
    assert host.post("/tables", opened).status_code == 201
    assert host.act("command.sit", buyin=50_000).status_code == 200
    assert host.act("command.bet", wager="pass", amount=1_000).status_code == 200
    return host, second


def test_a_host_sends_a_link_and_a_guest_comes_by_it(page: Page, other: Page) -> None:
    """In two browsers, one of them a phone; what the guest is called is drawn, never run."""
    page.goto("/#/host")
    page.get_by_label("Name of the table").fill("saturday")
    page.get_by_label("Your name at the table").fill("Hanna")
    page.get_by_label("Minimum").fill("10")
    page.get_by_label("Time to bet").select_option("60")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("They see you as Hanna.")).to_be_visible()
    expect(page.get_by_role("img", name="QR")).to_have_count(0)  # it would lead nowhere
    link = page.get_by_role("textbox", name="Link").input_value()
    check_both(page)
    other.goto(link)
    invited = "Hanna invites you to an evening of craps by the book of Sky City Adelaide."
    expect(other.get_by_text(invited)).to_be_visible()
    expect(other.get_by_text("min 10")).to_be_visible()
    other.get_by_role("button", name="Only watch").click()
    expect(other).to_have_url(re.compile("#/table/saturday"))
    slow: list[Route] = []
    other.route("**/invitations", lambda route: slow.append(route), times=1)  # noqa: PLW0108 - Playwright looks into it
    other.goto(link)
    wait_until(other, lambda: len(slow), 1)
    other.get_by_label("Your name").fill("<img/src=x>")
    slow.pop().continue_()  # an answer that comes late writes over nothing that was typed
    expect(other.get_by_text(invited)).to_be_visible()
    expect(other.get_by_label("Your name")).to_have_value("<img/src=x>")
    other.get_by_role("button", name="Sit down").click()
    expect(other.get_by_role("alert")).to_contain_text("one word")
    other.get_by_label("Your name").fill("<b>Gus</b>".replace("/", ""))
    other.get_by_role("button", name="Sit down").click()
    expect(other).to_have_url(re.compile("#/table/saturday"))
    expect(other.locator("[data-rail]")).to_contain_text("1,000")
    other.goto("/#/join/x")
    expect(other.get_by_role("alert")).to_contain_text("This link does not count any more")
    page.get_by_role("link", name="Go to the table").click()
    expect(page.get_by_text("min 10").first).to_be_visible()
    expect(page.get_by_role("list", name="Players")).to_contain_text("<b>Gus<b>")


def test_whoever_has_an_account_comes_by_a_link_as_who_they_are(page: Page, other: Page, pit: Server) -> None:
    """With what is in their wallet; a guest of tonight is nobody new at the next table."""
    host = pit.account("Hal-linked")
    host.post("/tables", {"table": "linked", "house": "adelaide"})
    link = host.post("/tables/linked/links", {"role": "player"}).json()["link"]
    pit.account("Lena")
    sign_in(page, "Lena")
    page.goto(f"/#/join/{link}")
    expect(page.get_by_text("You come as Lena.")).to_be_visible()
    page.get_by_role("button", name="Sit down").click()
    expect(page).to_have_url(re.compile("#/table/linked"))
    expect(page.locator("[data-rail]")).to_be_visible()
    assert page.request.get("/who").json()["me"]["name"] == "Lena"
    other.goto("/")
    guest = other.request.post("/guests", data={"name": "Gerd"}).json()["person"]
    other.goto(f"/#/join/{link}")
    expect(other.get_by_label("Your name")).to_have_value("Gerd")
    other.get_by_role("button", name="Sit down").click()
    expect(other).to_have_url(re.compile("#/table/linked"))
    assert other.request.get("/who").json()["me"]["person"] == guest


def scanned(page: Page) -> str:
    """What a scanner reads from the code as it is drawn."""
    picture = base64.b64encode(page.get_by_role("img", name="QR").screenshot()).decode()
    page.evaluate((ROOT / "browser/node_modules/jsqr/dist/jsQR.js").read_text("utf-8") + "\n;undefined")
    return str(
        page.evaluate(
            """async (picture) => {
                const image = new Image();
                image.src = `data:image/png;base64,${picture}`;
                await image.decode();
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [image.width, image.height];
                const pen = canvas.getContext("2d");
                pen.drawImage(image, 0, 0);
                const seen = pen.getImageData(0, 0, canvas.width, canvas.height);
                return jsQR(seen.data, seen.width, seen.height)?.data;
            }""",
            picture,
        )
    )


def test_phones_on_this_network_are_let_in_from_the_table_and_out_again(
    page: Page, browser: Browser, pit: Server
) -> None:
    """A practice table that is being played at, and nothing is stopped; in the end whoever came by it is cut off.

    Another table stays open to the network: its guests are heard by the same listener.
    """
    eve = pit.practice(name="Eve")
    assert eve.post(f"/tables/{eve.table}/network", {}).is_success
    me = Seat(page, "strip", name="Hanna")
    me.bet("pass", "15")
    page.get_by_role("button", name="Invite others").click()
    page.get_by_role("button", name="Let phones on this network in").click()
    expect(page.get_by_role("img", name="QR")).to_be_visible()
    link = page.get_by_role("textbox", name="Link").input_value()
    assert "127.0.0.1" not in link
    assert scanned(page) == link
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    phone.goto(link)
    expect(phone.get_by_text("Hanna invites you")).to_be_visible()
    phone.get_by_label("Your name").fill("Hanna")
    phone.get_by_role("button", name="Sit down").click()
    expect(phone.locator("[data-rail]")).to_be_visible()
    expect(page.get_by_role("list", name="Players")).to_contain_text("Hanna-")
    me.throw(4, 2)
    expect(phone.locator("[data-call]")).to_contain_text("Six")
    phone.goto(link.partition("#")[0])
    phone.get_by_role("button", name="Practise here").first.click()
    expect(phone.get_by_role("alert")).to_contain_text("by its link, and to nothing else")
    phone.go_back()
    phone.goto(f"{link.partition('#')[0]}#/table/{me.table}")
    expect(phone.locator("[data-rail]")).to_be_visible()
    page.get_by_role("button", name="Stop letting them in").click()
    expect(phone.get_by_text("The line is cut")).to_be_visible()
    me.throw(5, 1)
    phone.context.close()


def test_a_laptop_on_a_network_gives_links_that_phones_can_open(browser: Browser, tmp_path: Path) -> None:
    """A server that all of the network hears: the link and the code have this machine's own address, and it answers."""
    server = Server(tmp_path, None, "--host", "0.0.0.0")  # noqa: S104 - so that others reach it
    try:
        page = browser.new_context(base_url=server.address).new_page()
        page.goto("/#/host")
        page.get_by_label("Your name at the table").fill("Hanna")
        page.get_by_role("button", name="Open the table").click()
        link = page.get_by_role("textbox", name="Link").input_value()
        expect(page.get_by_role("button", name="Let phones on this network in")).to_have_count(0)
        assert "127.0.0.1" not in link
        assert scanned(page) == link
        phone = browser.new_context().new_page()
        phone.goto(link)
        phone.get_by_label("Your name").fill("Gus")
        phone.get_by_role("button", name="Sit down").click()
        expect(phone.locator("[data-rail]")).to_be_visible()
        assert f"for phones and other computers at {link.partition('/#')[0]}" in server.log.read_text()
        page.context.close()
        phone.context.close()
    finally:
        assert server.stop() == 0


def test_an_account_is_made_signed_out_and_in(page: Page) -> None:
    """And whoever is signed in sees it in the lobby."""
    page.goto("/#/me")
    page.get_by_label("Name").fill("Wilma")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "Wilma")
    page.goto("/#/lobby")
    expect(page.get_by_text("Signed in as Wilma")).to_be_visible()


def test_real_dice_a_no_roll_and_a_void_by_two_people(page: Page, pit: Server) -> None:
    """Two keys and Enter; the second reads apart; a void takes the second one's password, and the first stays."""
    host, second = crewed(pit, "boxed")
    sign_in(page, "Hal-boxed")
    page.goto("/#/box/boxed")
    page.get_by_role("button", name="Close the bets").click()
    expect(page.get_by_text("No one has read them yet")).to_be_visible()
    check_both(page)
    page.locator("h1").click()
    for key in ("4", "2", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Hal-boxed has read them")).to_be_visible()
    assert second.act("table.read_dice", dice=[4, 2]).status_code == 200
    expect(page.get_by_text("Point 6")).to_be_visible()
    page.get_by_role("button", name="Close the bets").click()
    page.get_by_label("Reason").first.select_option("stacked")
    page.get_by_role("button", name="Call no roll").click()
    expect(page.get_by_text("Bets are open")).to_be_visible()
    page.get_by_role("button", name="Close the bets").click()
    page.get_by_label("Why this roll is void").fill("the lights went out")
    page.get_by_role("button", name="Go on with a second person").first.click()
    page.get_by_label("Second person").select_option("Sue-boxed")
    page.get_by_label("Their password").fill(PASSWORD)
    page.get_by_role("button", name="Decide it together").click()
    expect(page.get_by_text("Bets are open")).to_be_visible()
    page.get_by_role("link", name="Limits, seats, disputes, reports").click()
    page.get_by_role("button", name="The books").click()
    page.get_by_role("combobox", name="Report").select_option("shift")
    expect(page.get_by_role("row", name="rolls void 2")).to_be_visible()
    clock = re.compile(r"^First entry at\d{1,2}:\d\d:\d\d [AP]M$")
    expect(page.get_by_role("row", name="first entry")).to_have_text(clock)
    page.get_by_role("combobox", name="Report").select_option("voids")
    expect(page.get_by_role("row", name="sue-boxed")).to_contain_text("the lights went out")
    lines = [link["line"] for link in host.get("/tables/boxed/chain").json()["links"]]
    assert '"people":["hal-boxed","sue-boxed"]' in lines[-1]
    assert "the lights went out" in lines[-1]
    assert page.request.get("/who").json()["me"]["person"] == "hal-boxed"


def test_dice_are_checked_in_the_browser_and_tampering_is_red(page: Page, pit: Server, tmp_path: Path) -> None:
    """Every roll at once, by its link; an export with one die changed is told from the true one."""
    ann = pit.practice(name="Fay")
    page.context.add_cookies([{"name": "passline", "value": ann.token, "url": pit.address}])
    for _ in range(3):
        ann.act("command.bet", wager="pass", amount=500)
        assert ann.act("table.roll").status_code == 200
    page.goto(f"/#/fair/{ann.table}")
    expect(page.get_by_role("heading", name="everything checks")).to_be_visible()
    expect(page.get_by_text("3 rolls worked out again")).to_be_visible()
    check_both(page)
    chain = ann.get(f"/tables/{ann.table}/chain").json()
    lines = [*(link["line"] for link in chain["links"]), json.dumps({"heads": chain["heads"]})]
    at = next(number for number, line in enumerate(lines) if '"kind":"rolled"' in line)
    dice = re.search(r'"dice":\[(\d),(\d)\]', lines[at])
    assert dice is not None
    other = f'"dice":[{dice[1]},{int(dice[2]) % 6 + 1}]'
    false = [*lines[:at], lines[at].replace(dice[0], other), *lines[at + 1 :]]
    for name, changed in (("true", lines), ("false", false)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(changed), encoding="utf-8")
        page.locator("input[type=file]").set_input_files(path)
        expect(page.get_by_role("heading", name="checks" if name == "true" else "tampered")).to_be_visible()
    expect(page.locator("li.wrong")).to_have_count(1)


@pytest.mark.parametrize("steer", [steering.first, steering.second], ids=["protocol 1", "protocol 2"])
def test_a_house_that_steered_its_dice_is_red(
    page: Page, tmp_path: Path, steer: Callable[[LiveTable, int], None]
) -> None:
    """The script of our own finding, which this page once called whole."""
    table, _ = steering.steered(steer, 2)
    path = tmp_path / "steered.jsonl"
    path.write_bytes(b"".join(steering.export_of(table)))
    page.goto("/#/fair")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_role("heading", name="tampered")).to_be_visible()
    expect(page.locator(".problem li").filter(has_text="early_end").first).to_be_visible()


def test_every_liar_of_the_threat_table_is_called_by_its_name(page: Page, tmp_path: Path) -> None:
    """Each row of docs/dice.md, by a house that lies once: this page names it as `verify` does."""
    page.goto("/#/fair")
    for lie, row in villains.LIARS.items():
        path = tmp_path / f"{lie.__name__}.jsonl"
        path.write_text(villains.lied(lie).text(), encoding="utf-8")
        page.locator("input[type=file]").set_input_files(path)
        expect(page.locator(".problem li").filter(has_text=f"{row}:").first).to_be_visible()
        page.reload()
    honest = tmp_path / "honest.jsonl"
    honest.write_text(villains.evening().text(), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(honest)
    expect(page.locator("[data-undone]")).to_contain_text("came to nothing: one roll, one backup put back, 0 stops")


def test_what_the_house_signed_is_checked_and_a_chain_written_anew_is_found(
    page: Page, pit: Server, tmp_path: Path
) -> None:
    """An export whose every hash is right again tells its heads apart; so do one cut off, and a forged signature."""
    ann = pit.practice(name="Sig")
    for _ in range(2):
        ann.act("command.bet", wager="pass", amount=500)
        assert ann.act("table.roll").status_code == 200
    path = tmp_path / "true.jsonl"
    command = ["journal", "export", pit.journal, "--table", ann.table, "--keys", str(pit.folder / "keys.json")]
    subprocess.run([sys.executable, "-m", "passline", *command, "--to", str(path)], check=True)
    lines = path.read_text("utf-8").splitlines()
    heads = json.loads(lines[-1])["heads"]
    page.context.add_cookies([{"name": "passline", "value": ann.token, "url": pit.address}])
    page.goto(f"/#/fair/{ann.table}")
    expect(page.get_by_text("The house has signed this chain")).to_be_visible()
    expect(page.locator("[data-key]")).to_have_text(heads[0]["key"])
    signed = json.loads(lines[-1].replace(heads[-1]["signature"], "0" * 128))
    ended = [line for line in lines[:-1] if f'"sequence":{heads[-1]["sequence"]},' not in line]
    forgeries = {
        "anew": rewritten(lines),
        "cut": [*ended, lines[-1]],
        "unsigned": lines[:-1],
        "forged": [*lines[:-1], json.dumps(signed)],
    }
    for name, changed in {**forgeries, "true": lines}.items():
        given = tmp_path / f"{name}.jsonl"
        given.write_text("\n".join(changed), encoding="utf-8")
        page.locator("input[type=file]").set_input_files(given)
        right = name == "true"
        said = "The house has signed this chain" if right else "What the house signed is not this chain"
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.get_by_role("heading", name="tampered")).to_have_count(0 if right else 1)
        if name == "anew":
            expect(page.locator("li.wrong")).to_have_count(0)
            expect(page.locator(".problem li")).not_to_have_count(0)
    check_both(page)


def rewritten(lines: list[str]) -> list[str]:
    """An export in which a bet is twice what it was, and every entry from there on has a hash that is its own."""
    made, previous = [], ""
    for line in lines:
        if '"hash":"' not in line or line.startswith('{"heads"'):
            made.append(line)
            continue
        changed = line.replace('"amount":500', '"amount":900').replace('"stake":500', '"stake":900')
        if previous:
            changed = re.sub(r'"previous":"[0-9a-f]{64}"', f'"previous":"{previous}"', changed)
        bare = re.sub(r',"hash":"[0-9a-f]{64}"', "", changed)
        previous = hashlib.sha256(f"passline/entry/1\n{bare}".encode()).hexdigest()
        made.append(re.sub(r'"hash":"[0-9a-f]{64}"', f'"hash":"{previous}"', changed))
    assert made != lines
    return made


RECORD = """passline 1
house strip
sit 1 <script>alert(1)</script> 300
sit 2 Bob 300
1 bet pass 15
roll 4-2
1 bet place_8 18
1 bet nonsense 5
roll 5-3
roll 6-1
"""


def test_the_browser_makes_the_dice_of_the_vectors(page: Page) -> None:
    """The checker that the page ships, with this browser's own WebCrypto, on every value of docs/dice-vectors.json."""
    page.goto("/#/fair")
    code = (ROOT / "src/passline/verify/dice.mjs").read_text("utf-8").partition("// --- From the command line")[0]
    vectors = json.loads((ROOT / "docs/dice-vectors.json").read_text("utf-8"))
    script = f"async (vectors) => {{ {code.replace('export ', '')}; return await checkVectors(vectors) }}"
    found = page.evaluate(script, vectors)
    assert (found["wrong"], found["compared"] > 500) == ([], True)
    vectors["epochs"][0]["rolls"] = vectors["epochs"][0]["rolls"].replace("-", "-6", 1)
    assert page.evaluate(script, vectors)["wrong"]


def test_a_record_is_played_again_and_sent_as_a_link(page: Page, other: Page, tmp_path: Path) -> None:
    """Step by step with its call, its words and its chips; a name that looks like a script is a name."""
    page.goto("/#/replay")
    page.get_by_label("Record").fill(RECORD)
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("[data-step]")).to_have_text("1 / 8")
    page.get_by_role("button", name="To the next roll").click()
    expect(page.locator("[data-call]")).to_contain_text("six", ignore_case=True)
    expect(page.locator('[data-chips="1:pass"]')).to_have_text("15")
    felt, controls = page.locator("section.cloth").bounding_box(), page.locator(".controls").bounding_box()
    assert felt is not None
    assert controls is not None
    assert felt["y"] + felt["height"] <= controls["y"], "the controls cover nothing of the felt"
    expect(page.locator("[data-puck]").first).to_have_attribute("data-puck", "6")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-call]")).to_have_text("The dealer says no")
    page.keyboard.press("End")
    expect(page.locator("[data-chips]")).to_have_count(0)
    expect(page.get_by_role("button", name="<script>alert(1)</script>")).to_be_visible()
    check_both(page)
    other.goto(page.get_by_role("textbox", name="Link").input_value())
    expect(other.locator("[data-step]")).to_have_text("8 / 8")  # where nothing may move, how it ended
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a phone shows it whole"
    (tmp_path / "hand.craps").write_text(RECORD, encoding="utf-8")
    other.goto("/#/replay")
    other.locator("input[type=file]").set_input_files(tmp_path / "hand.craps")
    other.get_by_role("button", name="To the next roll").click()
    expect(other.locator("[data-call]")).to_contain_text("six", ignore_case=True)
    other.goto("/#/lobby")
    other.goto("/#/replay")
    other.get_by_label("Record").fill("passline 1\nhouse ../../etc/passwd\n")
    other.get_by_role("button", name="Play it").click()
    expect(other.get_by_role("alert")).to_contain_text("The houses here are")


def test_a_past_hand_is_proved_and_a_stranger_does_not_see_it(page: Page, other: Page) -> None:
    """A hand of one's own table, its entries checked against their hashes; the table is only for those who may see.

    The link that is shared carries the game itself, from the hand on, and opens nothing else.
    """
    me = Seat(page)
    me.wish("bet", "pass")
    me.throw(4, 2)
    me.throw(6, 1)
    me.wish("bet", "pass")
    me.throw(5, 4)
    me.throw(6, 1)
    page.get_by_role("link", name="Past hands").click()
    page.get_by_role("link", name="2 rolls").first.click()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("[data-call]")).to_have_text("Six-ace, end of the race, seven out, line away, pay the don'ts")
    page.get_by_role("button", name="Check the proof").click()
    expect(page.get_by_role("status").filter(has_text="each what its hash says")).to_be_visible()
    shared = page.get_by_role("textbox", name="Link").input_value()
    other.goto(shared)
    expect(other.locator("[data-step]")).to_have_text("7 / 7")
    other.get_by_role("button", name="To the roll before").click()
    expect(other.locator("[data-call]")).to_contain_text("Nine")
    other.get_by_role("button", name="To the end").click()
    other.get_by_role("button", name="Run").click()  # again from its first act, after the hand before it
    other.get_by_role("button", name="Pause").click()
    assert int(other.locator("[data-step]").inner_text().split()[0]) in {5, 6}
    expect(other.get_by_role("button", name="Check the proof")).to_have_count(0)
    assert other.request.get(f"/tables/{me.table}/hand?first=1&last=9").status == 401
    other.goto(page.url)
    expect(other.get_by_role("alert")).to_contain_text("not yours to see. Ask who sent the link")
    expect(other.get_by_text("No hand has been played")).to_have_count(0)
    expect(other.get_by_role("button", name="Download the record")).to_have_count(0)


def test_the_way_back_to_a_table_stands_first_in_the_lobby(page: Page, other: Page) -> None:
    """A practice table, one that is hosted, and a seat at somebody else's; nobody is shown another's."""
    page.goto("/#/host")
    page.get_by_label("Your name at the table").fill("Hedda")
    page.get_by_label("Name of the table").fill("way-back")
    page.get_by_role("button", name="Open the table").click()
    link = page.get_by_role("textbox", name="Link").input_value()
    other.goto("/#/lobby")
    expect(other.get_by_role("heading", name="Practise at a table")).to_be_visible()
    expect(other.get_by_role("heading", name="Your tables")).to_have_count(0)
    other.goto(link)
    other.get_by_label("Your name").fill("Gil")
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("[data-rail]")).to_be_visible()
    for each in (page, other):
        each.goto("/#/lobby")
        expect(each.get_by_role("heading", name="Your tables are still open")).to_be_visible()
        each.get_by_role("link", name="Go to the table way-back").click()
        expect(each).to_have_url(re.compile("/#/table/way-back"))


def test_a_first_visit_teaches_the_line_then_odds(page: Page) -> None:
    """Bets on the real felt, throws by a button, what the house says of each; then the next lesson."""
    page.goto("/#/lobby")
    page.get_by_role("link", name="Learn it in a minute").click()
    expect(page.get_by_text("wins on 7 and 11")).to_be_visible()
    page.get_by_role("button", name="Put 5 on Pass Bet").click()
    for call in ("six", "eight", "six"):
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("[data-call]")).to_contain_text(call, ignore_case=True)
        if call == "eight":
            expect(page.locator("[data-how]")).to_have_text("The point is 6. Pass Bet wins on 6, loses on 7.")
    expect(page.locator("[data-result]")).to_contain_text("you win 5")
    page.get_by_role("button", name="Put 5 on Pass Bet").click()
    for call in ("six", "seven out"):
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("[data-call]")).to_contain_text(call, ignore_case=True)
    expect(page.locator("[data-result]")).to_contain_text("you lose 5")
    check_both(page)
    page.get_by_role("link", name=re.compile("Next")).click()
    expect(page.get_by_text("the fairest bet")).to_be_visible()
    page.locator('[data-spot="pass"]').press("Enter")
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 664), (844, 390), (320, 568), (1280, 800)])
def test_a_lesson_is_one_screen_and_nothing_moves(page: Page, width: int, height: int) -> None:
    """However much is said: the line with its chip, the point and the button stay where they are."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/#/learn")
    felt, line = page.get_by_role("region", name="The felt"), page.locator('[data-spot="pass"]')
    expect(line).to_be_in_viewport(ratio=0.9)
    place = felt.bounding_box()
    page.get_by_role("button", name="Put 5 on Pass Bet").click()
    for call in ("six", "eight", "six"):
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("[data-call]")).to_contain_text(call, ignore_case=True)
        expect(line).to_be_in_viewport(ratio=0.9)
        if call == "eight":
            expect(page.locator('[data-puck="6"]')).to_be_in_viewport(ratio=0.8)
        assert felt.bounding_box() == place
    assert width == 1280 or page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.get_by_role("button", name="To the tables").click()
    expect(page.get_by_role("heading", name="Take a place")).to_be_visible()


def test_a_spectator_sees_what_others_do_as_it_happens(page: Page, pit: Server) -> None:
    """From the lobby, without an account; regulars and people alike."""
    host, _ = crewed(pit, "watched", dice="fair", listed=True)
    page.goto("/#/lobby")
    page.get_by_role("button", name="Go to the table watched").click()
    expect(page.locator('[data-chips="1:pass"]')).to_contain_text("10")
    expect(page.locator("[data-now]")).to_have_text("The dice are offered to Hal-watched.")
    assert host.act("command.bet", wager="field", amount=500).status_code == 200
    expect(page.locator('[data-chips="1:field"]')).to_contain_text("5")


def test_no_fault_by_axe(page: Page, pit: Server) -> None:
    """Light and dark, on a phone, with nothing wider than it; of long tables ten rows are enough."""
    page.set_viewport_size({"width": 390, "height": 844})
    ann = pit.practice(name="Ina")
    link = ann.post(f"/tables/{ann.table}/links", {"role": "player"}).json()["link"]
    for path in ("lobby", "houses", "host", f"join/{link}", "me", "replay", "fair"):
        page.goto("about:blank")
        page.goto(f"/#/{path}")
        expect(page.locator("h1")).to_be_visible()
        page.wait_for_load_state("networkidle")
        page.evaluate("document.querySelectorAll('tbody tr:nth-child(n+10)').forEach((row) => row.remove())")
        check_both(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_houses_stand_side_by_side(page: Page) -> None:
    """Two of them on a phone; what differs has its clause."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/#/houses")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    page.get_by_label("Sydney").check()
    page.get_by_role("button", name="Show all").last.click()
    row = page.get_by_role("row", name=re.compile("Who throws when nobody will"))
    expect(row).to_contain_text("stickperson")
    expect(row).to_contain_text("sydney:")
