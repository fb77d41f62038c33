/** One person at one table: what they see, what they wish for, what the last roll did. Every rule is the server's. */

import { untrack } from "svelte";
import { get, newKey, post, Problem, type Shape } from "../ask";
import { choices } from "../choices.svelte";
import { Live, type Heard } from "../live.svelte";
import { say } from "../words";
import { chipSound, diceSound, loseSound, speak, winSound } from "./sound";

export interface Stack {
  id: string;
  seat: number;
  name: string;
  wager: string;
  amount: number;
  call: "on" | "off" | "";
}
interface Paid {
  id: string;
  seat: number;
  wager: string;
  amount: number;
}
type Wish = Shape<"Wish">["wish"];
type Act = Parameters<typeof post<"/tables/{table}/acts">>[1];
type Happened = { kind: string; seat?: number; wager?: string; to?: string; won?: number; stays?: boolean };

/** Something that is asked before it is done: a bet that many make by mistake, all the chips one has. */
export interface Question {
  text: string;
  yes: string;
  do: () => void;
}

/** How long a throw takes until the dice rest. */
export const THROW_MS = 620;
const PAID_MS = 1500;
const EDGE_MS = 3000;
const EDGE_TRIES = 4;
const STRIP_MAX = 60;
const LOG_MAX = 60;

/** The button that chips wear: off where they rest, on where they were called on. */
export const buttonOf = (up: Shape<"WagerView">): Stack["call"] =>
  up.call === "on" ? "on" : up.works || up.has ? "" : "off";

const wait = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

export class Play {
  readonly live: Live;
  house = $state.raw<Shape<"HouseView">>();
  seat = $state.raw<Shape<"SeatView">>();
  strip = $state.raw<Shape<"RollsView">>();
  /** The table as it is drawn; while dice are in the air, still as it was. */
  shown = $state.raw<Shape<"StateView">>();
  stacks = $state.raw<Stack[]>([]);
  paid = $state.raw<Paid[]>([]);
  lost = new Set<string>();
  dice = $state.raw<readonly [number, number]>();
  throwing = $state(0);
  call = $state("");
  result = $state.raw<Shape<"ResultView"> | null>(null);
  resultAt = $state(0);
  problem = $state.raw<{ text: string; clause: string | null; wager: string; cut: boolean } | null>(null);
  said = $state.raw<string[]>([]);
  chip = $state(0);
  /** Where the keyboard enters the felt. */
  stop = $state("pass");
  pointed = $state("");
  truth = $state.raw<Shape<"TruthView">>();
  /** Whether a tap asks about a spot instead of betting. */
  looking = $state(false);
  busy = $state(false);
  question = $state.raw<Question | null>(null);
  /** What the dice show, where they are entered. */
  faces = $state<[number, number]>([3, 4]);
  closes = $state(0);
  #queue: Heard[] = [];
  #playing = false;
  #ids = new Map<string, string>();
  #count = 0;
  /** One's stakes as they were before what was drawn last. */
  #stakes: Record<string, number> = {};
  #asked = "";
  #own: Shape<"SeatView"> | undefined;
  #felt: Shape<"FeltView"> | undefined;
  #felts = new Map<string, Shape<"FeltView">>();
  /** What was asked for is done one after the other, and not while dice are in the air. */
  #under: Promise<unknown> = Promise.resolve();
  #landed: Promise<unknown> = Promise.resolve();
  #land: () => void = () => undefined;
  #rolling = false;

  constructor(readonly table: string) {
    this.live = new Live(table, (what) => this.#hear(what));
  }

  async open(): Promise<void> {
    await this.live.open();
    const view = this.live.view as Shape<"TableView">;
    const usual = view.chips.filter((chip) => chip >= (view.notice.minimum as number));
    this.chip = view.chips.find((chip) => chip === usual[0]) ?? view.chips[0] ?? 100;
    this.#draw(view.state);
    [this.house] = await Promise.all([
      get("/tables/{table}/house", { table: this.table }),
      this.refresh(),
      this.rolls(),
    ]);
    this.#last();
  }

  /** What the last roll was, as the strip has it. */
  #last(): void {
    const last = this.strip?.rolls.at(-1);
    if (last)
      [this.dice, this.call, this.result, this.resultAt] = [
        last.dice as [number, number],
        last.call,
        this.strip?.you ?? null,
        last.sequence,
      ];
    else [this.dice, this.call, this.result, this.resultAt] = [undefined, "", null, 0];
  }

  close(): void {
    this.live.close();
  }

  get me(): number {
    return this.seat?.seat ?? 0;
  }
  get mine(): Record<string, Shape<"WagerView">> {
    return this.shown?.seats[this.me]?.up ?? {};
  }
  get grain(): number {
    return this.live.view?.grain ?? 100;
  }
  get float(): readonly number[] {
    return this.live.view?.chips ?? [];
  }
  /** Whether nothing should move: asked for by the device, or by the person. */
  get quick(): boolean {
    return !choices.animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
  money(grains: number): string {
    return (grains / this.grain).toLocaleString(document.documentElement.lang);
  }

  // --- What is seen ----------------------------------------------------------------------------------------------------

  /** Look at one's own seat; from then on it comes with the entries that change it. */
  async refresh(): Promise<void> {
    const seated = this.live.view?.seat;
    this.#own = seated ? await get("/tables/{table}/seat", { table: this.table }) : undefined;
    await this.#lay();
    await this.#clock();
  }

  /** Put one's own spots over those that are the same for everybody, which are asked for once for each position. */
  async #lay(tries = EDGE_TRIES): Promise<void> {
    const named = this.live.state?.felt ?? "";
    let felt = this.#felts.get(named);
    this.seat = this.#own && { ...this.#own, spots: { ...(felt ?? this.#felt)?.spots, ...this.#own.spots } };
    if (felt || !this.#own) return;
    felt = await get("/tables/{table}/felt", { table: this.table });
    this.#felt = felt;
    // Edges take a while to be worked out, the first time; what lacks them is asked for again.
    if (felt.whole || !tries) this.#felts.set(felt.felt, felt);
    else setTimeout(() => void this.#lay(tries - 1), EDGE_MS);
    if (this.#own) this.seat = { ...this.#own, spots: { ...felt.spots, ...this.#own.spots } };
  }

  /** When the bets are closed, by this browser's clock; 0 where the table has no countdown, or none runs. */
  async #clock(): Promise<void> {
    if (!this.live.view?.countdown) return;
    const seen = await get("/tables/{table}", { table: this.table });
    this.closes = seen.closes_at ? Date.now() + Date.parse(seen.closes_at) - Date.parse(seen.now) : 0;
  }

  async rolls(): Promise<void> {
    this.strip = await get("/tables/{table}/strip", { table: this.table });
  }

  /** Point at a spot: everything about it is told beside the felt. */
  point(wager: string): void {
    if (this.pointed === wager && this.truth?.wager === wager) return;
    this.pointed = wager;
    void this.#ask(wager);
  }
  async #ask(wager: string): Promise<void> {
    const asked = `${wager}/${this.chip}/${this.live.sequence}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const found = await get("/tables/{table}/spots/{wager}", { table: this.table, wager, chip: this.chip });
      if (this.pointed === wager) this.truth = found;
    } catch {
      this.truth = undefined;
    }
  }
  choose(chip: number): void {
    this.chip = chip;
    if (this.pointed) void this.#ask(this.pointed);
  }

  // --- What is heard ---------------------------------------------------------------------------------------------------

  #hear(what: Heard): void {
    this.#queue.push(what);
    if (!this.#playing) void this.#playAll();
  }

  async #playAll(): Promise<void> {
    this.#playing = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) await this.#show(next);
    this.#playing = false;
  }

  async #show(what: Heard): Promise<void> {
    const events = what.events as unknown as Happened[];
    const dice = what.kind === "rolled" || what.call ? thrown(events) : undefined;
    if (dice) await this.#roll(what, dice);
    for (const event of events) if (event.kind === "event.wager_travelled") this.#travel(event);
    if (what.said.length) this.said = [...what.said.toReversed(), ...this.said].slice(0, LOG_MAX);
    if (what.state) this.#draw(what.state, events);
    if (what.kind === "acted" && events.some((event) => event.kind === "event.wager_up")) chipSound();
    this.#follow(what);
    if (dice) this.#settle(what, events);
    // A roll that is struck out was none: the one before it is the last.
    if (events.some((event) => event.kind === "event.outcome_struck_out")) void this.rolls().then(() => this.#last());
  }

  /** One's own seat and the rolls are what came with the entry; nothing is asked for. */
  #follow(what: Heard): void {
    if (what.seat !== undefined) this.#own = what.seat ?? undefined;
    if (what.strip) {
      const rolls = [...(this.strip?.rolls ?? []), ...what.strip.rolls].slice(-STRIP_MAX);
      this.strip = { ...what.strip, rolls, you: what.you ?? null };
    }
    if (what.state || what.seat !== undefined) void this.#lay();
    if (what.seat && this.pointed) void this.#ask(this.pointed);
    if (what.kind !== "refused") void this.#clock();
  }

  async #roll(what: Heard, dice: readonly [number, number]): Promise<void> {
    this.problem = null;
    this.dice = dice;
    this.throwing += 1;
    diceSound();
    if (!this.quick && this.#queue.length < 2) {
      this.#landed = Promise.race([wait(THROW_MS), new Promise<void>((go) => (this.#land = go))]);
      await this.#landed;
    }
    this.call = what.call ?? "";
    this.result = what.you ?? null;
    this.resultAt = what.sequence;
    speak(this.call);
  }

  #settle(what: Heard, events: Happened[]): void {
    const net = what.you?.net ?? 0;
    if (net > 0) winSound();
    else if (net < 0) loseSound();
    const paid = events.filter((event) => event.kind === "event.wager_won");
    if (choices.keeps) this.#keep(paid.filter((event) => event.seat === this.me && !event.stays));
    this.paid = paid.map((event) => ({
      id: `${what.sequence}/${event.seat}/${event.wager}`,
      seat: event.seat ?? 0,
      wager: event.wager ?? "",
      amount: event.won ?? 0,
    }));
    const now = this.paid;
    setTimeout(
      () => {
        if (this.paid === now) this.paid = [];
      },
      this.quick ? 900 : PAID_MS,
    );
  }

  /** A line bet that won and came home goes up again, where somebody wants that. */
  #keep(won: Happened[]): void {
    const lines = this.house?.plan.lines.filter((strip) => strip.where === "line" || strip.where === "dont line");
    for (const { wager = "" } of won) {
      const stake = this.#stakes[wager];
      if (stake && lines?.some((strip) => strip.spots[0]?.key === wager) && !this.mine[wager])
        void this.wish("bet", wager, stake);
    }
  }

  /** A bet that goes to its number is the same chips. */
  #travel(event: Happened): void {
    const from = `${event.seat}:${event.wager}`;
    const id = this.#ids.get(from);
    if (!id) return;
    this.#ids.delete(from);
    this.#ids.set(`${event.seat}:${event.to}`, id);
  }

  #draw(state: Shape<"StateView">, events: Happened[] = []): void {
    const lost = events.filter((event) => event.kind === "event.wager_lost");
    this.#stakes = Object.fromEntries(Object.entries(this.mine).map(([wager, up]) => [wager, up.stake]));
    const stacks: Stack[] = [];
    const ids = new Map<string, string>();
    for (const [number, place] of Object.entries(state.seats)) {
      for (const [wager, up] of Object.entries(place.up)) {
        const where = `${number}:${wager}`;
        const id = this.#ids.get(where) ?? `${where}#${++this.#count}`;
        ids.set(where, id);
        stacks.push({
          id,
          seat: Number(number),
          name: place.name,
          wager,
          amount: up.stake,
          call: buttonOf(up),
        });
      }
    }
    this.lost = new Set(lost.map((event) => this.#ids.get(`${event.seat}:${event.wager}`) ?? ""));
    this.#ids = ids;
    this.shown = state;
    this.stacks = stacks;
  }

  // --- What is wished for ------------------------------------------------------------------------------------------------

  async #do(wager: string, work: () => Promise<unknown>): Promise<boolean> {
    [this.problem, this.question, this.busy] = [null, null, true];
    const under = this.#under.then(() => this.#landed).then(work);
    this.#under = under.catch(() => undefined);
    try {
      await under;
      return true;
    } catch (error) {
      const known = error instanceof Problem;
      this.problem = {
        text: known ? error.message || say("no-answer") : String(error),
        clause: known ? error.clause : null,
        wager,
        cut: known && error.status === 0,
      };
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The line is back: that nobody answered is no longer so. */
  answered(): void {
    if (untrack(() => this.problem?.cut)) this.problem = null;
  }

  wish(wish: Wish, wager: string | null = null, about: number | null = null): Promise<boolean> {
    return this.#do(wager ?? "", () =>
      post("/tables/{table}/wishes", { wish, wager, about }, { table: this.table }, { key: newKey() }),
    );
  }
  /** What the rail offers in a word; odds that are more than half of the rail are asked for first. */
  offered(word: Wish): void {
    const amount = this.seat?.offers[word]?.amount ?? 0;
    const much = word === "odds" && 2 * amount > (this.seat?.rail ?? 0);
    if (much) this.#sure(say("ask-odds", { amount: this.money(amount) }), "ask-odds-yes", () => this.wish(word));
    else void this.wish(word);
  }
  /** Have something done after what is still being asked for; what goes wrong is told. */
  doing(work: () => Promise<unknown>): Promise<boolean> {
    return this.#do("", work);
  }
  act(what: Act): Promise<boolean> {
    return this.#do("", () => post("/tables/{table}/acts", what, { table: this.table }, { key: newKey() }));
  }
  /** Sit down with what people usually bring, beside a place that one left with bets up. */
  sit(): Promise<boolean> {
    const seats = this.shown?.seats ?? {};
    const free = Object.keys(seats).length + 1;
    const seat = Array.from({ length: free }, (_, at) => at + 1).find((each) => !(each in seats)) ?? free;
    const buyin = this.live.view?.buyin ?? 0;
    return this.act(this.seat ? { kind: "command.sit", buyin, seat } : { kind: "command.sit", buyin });
  }
  /** Bet the chip in hand; what the house wants to be asked about first, and all that one has, is asked for once. */
  bet(wager: string): void {
    const [spot, rail] = [this.seat?.spots[wager], this.seat?.rail ?? 0];
    const go = (): Promise<boolean> => this.wish("bet", wager, this.chip);
    const takes = { name: spot?.name ?? "", amount: this.money(rail) };
    if (spot?.refused || !rail) void go();
    else if (spot?.asks) this.#sure(spot.asks, "ask-put-yes", go);
    else if (this.chip >= rail) this.#sure(say("ask-all", takes), "ask-all-yes", go);
    else void go();
  }
  #sure(text: string, yes: string, work: () => Promise<unknown>): void {
    this.problem = null;
    this.question = { text, yes: say(yes), do: () => void work() };
  }
  take(wager: string): Promise<boolean> {
    return this.wish("take", wager);
  }
  /** Send the dice out after what is still being asked for; in the air, they land at once. */
  async roll(): Promise<void> {
    if (this.#rolling || this.#playing) return this.#land();
    this.#rolling = true;
    const [first, second] = this.faces;
    await this.act(
      this.live.view?.dice === "given" ? { kind: "command.throw", roll: { first, second } } : { kind: "table.roll" },
    );
    this.#rolling = false;
  }
}

function thrown(events: Happened[]): readonly [number, number] | undefined {
  const found = events.find((event) => event.kind === "event.dice_thrown") as
    { first?: number; second?: number } | undefined;
  return found ? [found.first ?? 1, found.second ?? 1] : undefined;
}

/** What a felt draws, whether it is played or was. */
export type Board = Pick<
  Play,
  | "stacks"
  | "paid"
  | "lost"
  | "shown"
  | "mine"
  | "me"
  | "seat"
  | "stop"
  | "pointed"
  | "looking"
  | "quick"
  | "float"
  | "grain"
  | "money"
  | "point"
  | "bet"
  | "take"
>;
