/** One person at one table: what they see, what they wish for, what the last roll did. Every rule is the server's. */

import { get, newKey, post, Problem, type Shape } from "../ask";
import { choices } from "../choices.svelte";
import { Live, type Heard } from "../live.svelte";
import { say } from "../words";
import type { Hand, OlderPage } from "./hand.svelte";
import { Stacks, type Happened } from "./stacks.svelte";
import { chipSound, diceSound, loseSound, speak, winSound } from "./sound";

type Act = Parameters<typeof post<"/tables/{table}/acts">>[1];

/** Something that is asked before it is done: by the dealers about a line, or before all the chips one has go up. */
export interface Question {
  text: string;
  /** What was said to the dealers, which the answer is about. */
  line: string;
  options: { says: string; do: () => void }[];
}

/** How long a throw takes until the dice rest. */
export const THROW_MS = 620;
/** The longest that a bet waits for one's hand to be in the dice. */
const HAND_MS = 5000;
const EDGE_MS = 3000;
const EDGE_TRIES = 4;
const STRIP_MAX = 60;
const LOG_MAX = 60;
const LINES_MAX = 8;

const wait = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

export class Play extends Stacks {
  readonly live: Live;
  house = $state.raw<Shape<"HouseView">>();
  seat = $state.raw<Shape<"SeatView">>();
  strip = $state.raw<Shape<"RollsView">>();
  dice = $state.raw<readonly [number, number]>();
  throwing = $state(0);
  call = $state("");
  result = $state.raw<Shape<"ResultView"> | null>(null);
  resultAt = $state(0);
  problem = $state.raw<{ text: string; clause: string | null; wager: string } | null>(null);
  said = $state.raw<string[]>([]);
  chip = $state(0);
  /** Where the keyboard enters the felt. */
  stop = $state("pass");
  pointed = $state("");
  truth = $state.raw<Shape<"TruthView">>();
  /** Whether a tap asks about a spot instead of betting. */
  looking = $state(false);
  busy = $state(false);
  /** Where chips were put that the house has not answered yet. */
  going = $state.raw<string[]>([]);
  /** Whether the dice were called for and are not in the air yet. */
  rolling = $state(false);
  question = $state.raw<Question | null>(null);
  /** What the dealers said to the last line, or what was asked for by its key. */
  reply = $state.raw<string[]>([]);
  /** What somebody hears who does not see the felt: each line once, the oldest first. */
  spoken = $state.raw<{ id: number; text: string }[]>([]);
  #lines = 0;
  /** What the dice show, where they are entered. */
  faces = $state<[number, number]>([3, 4]);
  closes = $state(0);
  /** One's hand in the dice, where the table draws them and has hands. */
  hand = $state.raw<Hand>();
  #queue: Heard[] = [];
  #playing = false;
  /** One's stakes as they were before what was drawn last. */
  #stakes: Record<string, number> = {};
  #asked = "";
  #own: Shape<"SeatView"> | undefined;
  #felt: Shape<"FeltView"> | undefined;
  #felts = new Map<string, Shape<"FeltView">>();
  /** What was asked for is done one after the other, and not while dice are in the air. */
  #under: Promise<unknown> = Promise.resolve();
  /** How often nobody answered: what was asked for after it, and before one knew, is not done without it. */
  #cuts = 0;
  #landed: Promise<unknown> = Promise.resolve();
  #land: () => void = () => undefined;
  /** One's hand is in the dice before one bets. */
  #handed: Promise<unknown> = Promise.resolve();

  constructor(readonly table: string) {
    super();
    this.live = new Live(table, (what) => this.#hear(what));
  }

  async open(): Promise<void> {
    await this.live.open();
    const view = this.live.view as Shape<"TableView">;
    // With this one in hand a tap on the line is the least that may be bet there.
    this.chip = view.chips.findLast((chip) => chip <= (view.notice.minimum as number)) ?? view.chips[0] ?? 100;
    this.draw(view.state);
    [this.house] = await Promise.all([
      get("/tables/{table}/house", { table: this.table }),
      this.refresh(),
      this.rolls(),
    ]);
    this.#last();
    if (this.live.view?.dice === "fair") this.#handed = this.#take().catch(() => undefined);
  }

  /** Have a hand in the dice; it comes after the felt, for nobody should wait for it. */
  async #take(): Promise<void> {
    const { Hand } = await import("./hand.svelte");
    this.hand = new Hand(this.table, () => Boolean(this.live.view?.seat));
    document.addEventListener("visibilitychange", this.#hidden);
    addEventListener("pagehide", this.#gone);
    await this.hand.open();
  }
  /** What a player is to know of the way the dice are made, where it is not by hands that everybody can check. */
  get older(): "" | OlderPage {
    return this.live.view?.dice === "given" ? "dice-given" : (this.hand?.older ?? "");
  }
  readonly #gone = (): void => void this.hand?.off();
  readonly #hidden = (): void => {
    if (document.visibilityState === "hidden") void this.hand?.off();
    else void this.hand?.open();
  };

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
    document.removeEventListener("visibilitychange", this.#hidden);
    removeEventListener("pagehide", this.#gone);
    void this.hand?.off();
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

  #speak(...parts: (string | undefined | null)[]): void {
    const text = parts.filter(Boolean).join(" ");
    if (text) this.spoken = [...this.spoken, { id: (this.#lines += 1), text }].slice(-LINES_MAX);
  }
  #money(seat: Shape<"SeatView"> | null | undefined): string {
    return seat ? say("table-money", { amount: this.money(seat.rail) }) : "";
  }
  /** What somebody asks for who does not see the felt: their money, what can be done, what of theirs is up. */
  tell(): void {
    const up = Object.entries(this.mine).map(([wager, { stake, works }]) => {
      const bet = say("table-up-on", { amount: this.money(stake), name: this.seat?.spots[wager]?.name ?? wager });
      return works ? bet : say("table-off", { bet });
    });
    this.reply = [
      `${this.#money(this.seat)} ${say("table-all-up", { bets: up.join("; ") || "0" })}`,
      this.seat?.now ?? "",
    ];
    this.#speak(...this.reply, this.#inHand);
  }

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
  get #inHand(): string {
    return say("table-in-hand", { value: this.money(this.chip) });
  }
  /** Choose a chip by its key, which is heard: the focus is elsewhere. */
  pick(key: number): void {
    const chip = this.float[key - 1];
    if (chip) this.choose(chip);
    this.#speak(chip ? this.#inHand : say("table-no-chip"));
  }
  /** A key that can do nothing now says so to whoever does not see the grey button. */
  nothing(what: string): void {
    this.#speak(say("table-nothing", { what }));
  }
  /** What was asked, once more. */
  repeat(): void {
    this.#speak(this.question?.text);
  }
  look(): void {
    this.looking = !this.looking;
    this.#speak(say(this.looking ? "table-looking" : "table-looked"));
  }
  /** Say what a spot is, instead of betting on it. */
  async explain(wager: string): Promise<void> {
    this.pointed = wager;
    this.truth = await get("/tables/{table}/spots/{wager}", { table: this.table, wager, chip: this.chip });
    const { name, how, price, adds, standing } = this.truth;
    this.#speak(`${name}: ${how}; ${price}.`, `${standing}.`, adds);
  }

  // --- What is heard ---------------------------------------------------------------------------------------------------

  #hear(what: Heard): void {
    this.hand?.heard(what);
    if (what.kind === "bets_closed") void this.hand?.closed();
    else if (what.kind === "rolled" || what.kind === "roll_voided") void this.hand?.rolled();
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
    for (const event of events) if (event.kind === "event.wager_travelled") this.travel(event);
    if (what.sentences.length) this.said = [...what.sentences.toReversed(), ...this.said].slice(0, LOG_MAX);
    this.#stakes = Object.fromEntries(Object.entries(this.mine).map(([wager, up]) => [wager, up.stake]));
    if (what.state) this.draw(what.state, events);
    if (what.kind === "acted" && events.some((event) => event.kind === "event.wager_up")) chipSound();
    if (!dice && events.some((event) => event.seat === this.me)) this.#speak(...what.sentences, this.#money(what.seat));
    this.#follow(what);
    if (dice) this.#settle(what, events);
    // A roll that is struck out, or came to nothing, was none, which is said in its place until the next.
    if (what.kind === "roll_voided" || events.some((event) => event.kind === "event.outcome_struck_out")) {
      [this.dice, this.call, this.result, this.resultAt] = [
        undefined,
        what.call ?? "",
        what.you ?? null,
        what.sequence,
      ];
      void this.rolls();
    } else if (!dice && what.you) this.result = what.you; // what one disputes is decided
  }

  /** One's own seat and the rolls are what came with the entry; nothing is asked for. */
  #follow(what: Heard): void {
    if (what.seat !== undefined) {
      if (what.seat && !this.#own) void this.hand?.open();
      this.#own = what.seat ?? undefined;
    }
    if (what.strip) {
      const rolls = [...(this.strip?.rolls ?? []), ...what.strip.rolls].slice(-STRIP_MAX);
      this.strip = { ...what.strip, rolls, you: what.you ?? null };
    }
    if (what.state || what.seat !== undefined) void this.#lay();
    if (what.seat && this.pointed) void this.#ask(this.pointed);
    if (what.closes_in_ms !== undefined) this.closes = what.closes_in_ms === null ? 0 : Date.now() + what.closes_in_ms;
  }

  async #roll(what: Heard, dice: readonly [number, number]): Promise<void> {
    this.hush();
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
    this.#speak(`${this.call}.`, what.you?.line, this.#money(what.seat));
    speak(this.call);
  }

  #settle(what: Heard, events: Happened[]): void {
    const net = what.you?.net ?? 0;
    if (net > 0) winSound();
    else if (net < 0) loseSound();
    const paid = events.filter((event) => event.kind === "event.wager_won");
    if (choices.keeps) this.#keep(paid.filter((event) => event.seat === this.me && !event.stays));
    this.pay(paid, what.sequence, this.quick);
  }

  /** A line bet that won and came home goes up again, where somebody wants that. */
  #keep(won: Happened[]): void {
    const lines = this.house?.plan.lines.filter((strip) => strip.where === "line" || strip.where === "dont line");
    for (const { wager = "" } of won) {
      const stake = this.#stakes[wager];
      if (stake && lines?.some((strip) => strip.spots[0]?.key === wager) && !this.mine[wager])
        void this.talk(this.#chips(stake, wager), wager);
    }
  }

  // --- What is wished for ------------------------------------------------------------------------------------------------

  async #do(wager: string, work: () => Promise<unknown>): Promise<boolean> {
    [this.problem, this.question, this.busy] = [null, null, true];
    const cuts = this.#cuts;
    const under = this.#under
      .then(() => Promise.all([this.#landed, Promise.race([this.#handed, wait(HAND_MS)])]))
      .then(() => {
        if (cuts !== this.#cuts) throw new Problem(0, "network", "", null, {});
        return work();
      })
      .catch(async (error: unknown) => {
        // What this page could not show in time, for it was cut off, is shown now, and then the same is asked again.
        if (!(error instanceof Problem && error.code === "table.hand" && this.hand)) throw error;
        await this.hand.owed();
        return work();
      });
    this.#under = under.catch(() => undefined);
    try {
      await under;
      return true;
    } catch (error) {
      const known = error instanceof Problem;
      if (known && error.status === 0 && cuts === this.#cuts) this.#cuts += 1;
      this.problem = {
        text: known ? error.message || say("no-answer") : String(error),
        clause: known ? error.clause : null,
        wager,
      };
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** What was said or refused has been read. */
  hush(): void {
    [this.reply, this.problem] = [[], null];
  }

  /** Say something to the dealers: what they ask waits for the answer, and nothing is booked until then. */
  talk(line: string, wager = ""): Promise<boolean> {
    const about = this.question?.line ?? "";
    this.reply = [];
    return this.#do(wager, async () => {
      const said = { say: line, about };
      this.#answered(await post("/tables/{table}/talk", said, { table: this.table }, { key: newKey() }), wager);
    });
  }
  #answered({ says, refused: [no], question }: Shape<"TalkView">, wager: string): void {
    this.reply = says;
    this.#speak(...says);
    if (no) this.problem = { text: no.message, clause: no.clause, wager };
    if (question)
      this.question = {
        text: question.asks,
        line: question.line,
        options: question.options.map(({ says, line }) => ({ says, do: () => void this.talk(line, wager) })),
      };
  }
  /** What a button of the rail says; what takes more than half of the rail is asked for first. */
  offered(word: string): void {
    const { line, amount } = this.seat?.offers[word] ?? { line: "", amount: 0 };
    const much = word !== "redo" && 2 * amount > (this.seat?.rail ?? 0);
    const takes = { what: say(`table-${word}`), amount: this.money(amount) };
    if (much) this.#sure(say("ask-much", takes), "ask-much-yes", () => this.talk(line));
    else if (line) void this.talk(line);
    else this.nothing(say(`table-${word}`));
  }
  /** Have something done after what is still being asked for; what goes wrong is told. */
  doing(work: () => Promise<unknown>): Promise<boolean> {
    return this.#do("", work);
  }
  act(what: Act): Promise<boolean> {
    return this.#do("", () => post("/tables/{table}/acts", what, { table: this.table }, { key: newKey() }));
  }
  /** What is in the wallet that chips come out of; null where they cost nothing. */
  get wallet(): number | null {
    return this.live.view?.wallet ?? null;
  }
  /** See how much there is to buy chips with: a cashier may have taken some. */
  async lookIntoWallet(): Promise<void> {
    const { wallet, buyin } = await get("/tables/{table}", { table: this.table });
    if (this.live.view) this.live.view = { ...this.live.view, wallet, buyin };
  }
  /** Sit down, with what people usually bring where nobody says how much, beside a place that one left with bets up. */
  sit(buyin = this.live.view?.buyin ?? 0): Promise<boolean> {
    const seats = this.shown?.seats ?? {};
    const free = Object.keys(seats).length + 1;
    const seat = Array.from({ length: free }, (_, at) => at + 1).find((each) => !(each in seats)) ?? free;
    return this.act(this.seat ? { kind: "command.sit", buyin, seat } : { kind: "command.sit", buyin });
  }
  /** An amount on a spot as it is said: the dealers make it proper. */
  #chips(amount: number, wager: string): string {
    return `about ${amount / this.grain} on ${wager}`;
  }
  /** Bet the chip in hand; all that one has is asked for once. */
  bet(wager: string): void {
    const [spot, rail] = [this.seat?.spots[wager], this.seat?.rail ?? 0];
    const go = async (): Promise<void> => {
      this.going = [...this.going, wager];
      await this.talk(this.#chips(this.chip, wager), wager);
      this.going = this.going.toSpliced(this.going.indexOf(wager), 1);
    };
    const takes = { name: spot?.name ?? "", amount: this.money(rail) };
    if (spot?.refused || !rail) void go();
    else if (this.chip >= rail) this.#sure(say("ask-all", takes), "ask-all-yes", go);
    else void go();
  }
  #sure(text: string, yes: string, work: () => Promise<unknown>): void {
    this.problem = null;
    this.question = { text, line: "", options: [{ says: say(yes), do: () => void work() }] };
  }
  /** Dice that are offered are taken or declined, and not passed on by a tap on Roll. */
  #offer(): void {
    this.problem = null;
    const option = (word: string, kind: "command.shoot" | "command.decline"): Question["options"][number] => ({
      says: say(word),
      do: () => void this.act({ kind }),
    });
    const options = [option("table-shoot", "command.shoot"), option("table-decline", "command.decline")];
    this.question = { text: say("ask-dice"), line: "", options };
  }
  take(wager: string): Promise<boolean> {
    return this.talk(`take ${wager}`, wager);
  }
  /** Send the dice out after what is still being asked for; in the air, they land at once. */
  async roll(): Promise<void> {
    if (this.rolling || this.#playing) return this.#land();
    const acts = this.seat?.dice_acts ?? [];
    if (acts.includes("command.shoot") && acts.includes("command.decline")) return this.#offer();
    this.rolling = true;
    const [first, second] = this.faces;
    await this.act(
      this.live.view?.dice === "given" ? { kind: "command.throw", roll: { first, second } } : { kind: "table.roll" },
    );
    this.rolling = false;
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
> &
  // What nobody plays at is settled already.
  Partial<Pick<Play, "lost" | "won" | "homeward" | "going" | "chip" | "explain">>;
