/** One's own hand in the dice, and every roll checked as it falls: docs/dice.md, *What a program does*. */

import { chainOf as links, fromHex, Journal, offOf, toHex, valueBefore } from "../../../src/passline/verify/dice.mjs";
import { address, get, newKey, type Shape } from "../ask";
import "../around/hashes";
import { isAssent, isSigned, type Head } from "../around/heads";
import { chainOf, hashOf, type Link } from "../around/proof";

interface Listed {
  person: string;
  hand: number;
  index: number;
}
type Dice = Shape<"DiceView">;
interface Entry {
  kind: string;
  table: string;
  previous: string;
  hash: string;
  sequence: number;
  body: {
    anchor?: string;
    signer?: string;
    assent?: string;
    protocol?: number;
    revision?: number;
    person?: string;
    hands?: Listed[];
    silent?: Listed[];
    events?: Happened[];
  };
}
interface Happened {
  kind: string;
  seat?: number;
  wager?: string;
  stake?: number;
}
/** What this device keeps: its hand, and what the house signed. */
const NOTHING_KEPT = {
  hand: 0,
  last: "",
  w: "",
  anchor: "",
  /** The last index that it has shown, and for which closing. */
  shown: {} as Record<string, string>,
  /** The entry that says that the last value did not arrive, until it was shown after all. */
  void: 0,
  signer: "",
  /** Protocol and revision of the dice, as the first entry says. */
  page: "",
  heads: [] as Head[],
  /** The closings that values were shown for, and the entries by which this device's hands came on. */
  entries: [] as Entry[],
};

type Checked = ReturnType<Hand["checked"]>;
export type OlderPage = "dice-first-protocol" | "dice-unknown" | "dice-given";

/** What was found of a roll: whose hands are in it, and whether it follows from what was shown. */
export interface CheckedRoll {
  sequence: number;
  people: number;
  mine: boolean;
  right: boolean;
}

const HEADS_MAX = 60;
/** What is checked is kept after so many entries, with so many of its rolls, for so many tables. */
const [SAVED_EVERY, SAVED_ROLLS, SAVED_MAX] = [500, 100, 20];
const SAVED = "passline.checked/";
/** What is said of a table whose dice follow an older page of docs/dice.md; at any other page than these no hand is given. */
const PAGES: Record<string, "" | OlderPage> = { "2.2": "", "1.1": "dice-first-protocol" };
const VALUES = 1_000;
/** From this index on a hand is replaced after a roll that it was not in: with no chips up nobody gains by the moment. */
const LATE = 900;
const AGAIN_MS = 2_000;
/** After how long it is said for whose part of the dice the table waits. */
const LATE_MS = 3_000;
/** After how long a roll that was announced is overdue: nothing is awaited for longer than ten minutes. */
const OVERDUE_MS = 660_000;
const TRIES = 12;
/** The wagers that went up by an entry, as they then stood. */
const ups = (events: Happened[]): string =>
  events
    .filter(({ kind }) => kind === "event.wager_up")
    .map(({ seat, wager, stake }) => `${seat} ${wager} ${stake}`)
    .join(", ");
/** Under which name the key is kept that this device saw first of the house: another later is told. */
const HOUSE = "passline.house";
const secret = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

export class Hand {
  rolls = $state.raw<Record<number, CheckedRoll>>({});
  /** Two words of the house that cannot both be true: what it signed, and what it shows now. */
  misfit = $state.raw<{ kept: Head | string; shown: Link | Head | string } | null>(null);
  /** The rule of the dice that the house broke, by its entry and its name in docs/dice.md. */
  broken = $state.raw("");
  /** What else is wrong between this hand and the house, as a word of the catalogue. */
  trouble = $state.raw<
    "" | "dice-absent" | "dice-denied" | "dice-open" | "dice-unasked" | "dice-stranger" | "dice-key"
  >("");
  /** Whose part of the dice the table waits for, where that takes longer than it should. */
  waiting = $state.raw<string[]>([]);
  /** How much of a long past is checked, in hundredths, while it is. */
  checking = $state(0);
  /** What its owner is to know of the way these dice are drawn, as a word of the catalogue. */
  older = $state.raw<"" | OlderPage>("");
  #dice: Dice | undefined;
  #kept = { ...NOTHING_KEPT };
  #values: Uint8Array[] = [];
  #seen = { sequence: 0, hash: "" };
  /** The anchors of the hands that this page made. */
  #anchors = new Set<string>();
  /** Up to which entry the house has signed what was followed, and the hashes of what it has not signed yet. */
  #signed = 0;
  #unsigned = new Map<number, string>();
  /** Every entry of the table, held against docs/dice.md. */
  #journal = new Journal();
  /** Up to which entry it is kept what the entries come to. */
  #saved = 0;
  /** The keys that sign the table: the one it was opened with, and its heirs. */
  #signers: string[] = [];
  /** The rolls among entries that are taken in. */
  #fresh: Record<number, CheckedRoll> = {};
  /** By entry: the wagers that this page was told of, and has drawn. */
  #drawn = new Map<number, string>();
  /** The last closing that the chain has: what is asked for is read here, for anything else hashes to nothing. */
  #closing: Entry | undefined;
  /** Whether the hand was taken off, spent or struck since it was given. */
  #lost = false;
  /** The last index that the house took from this page. */
  #taken = 0;
  /** By this device's clock, for times of entries are the house's: when the bets were closed, when the value was taken, and when the roll was void. */
  times = { closed: "", taken: "", void: "" };
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    readonly table: string,
    private readonly seated: () => boolean,
  ) {}

  /** For whoever is shown it, and for `passline verify --head`: what the house signed to this device, and what does not fit. */
  get evidence(): unknown {
    const { heads, entries } = this.#kept;
    const { misfit, broken, trouble, times } = this;
    return { heads: [...heads, ...entries], misfit, broken, trouble, times };
  }
  /** Whether the house is shown no more values. */
  get #lied(): boolean {
    return Boolean(this.misfit || this.broken);
  }
  get #name(): string {
    return `passline.hand/${this.#dice?.stream}`;
  }
  #keep(): void {
    localStorage.setItem(this.#name, JSON.stringify(this.#kept));
  }
  #ask(): Promise<Dice> {
    return get("/tables/{table}/dice", { table: this.table });
  }
  /** The kind of entry that it made; nothing where it was refused. */
  async #act(act: Record<string, unknown>, keepalive = false): Promise<string> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": newKey() };
    const asked = {
      method: "POST",
      headers,
      body: JSON.stringify(act),
      credentials: "same-origin",
      keepalive,
    } as const;
    try {
      const answer = await fetch(address("/tables/{table}/acts", { table: this.table }), asked);
      return answer.ok ? ((await answer.json()) as Entry).kind : "";
    } catch {
      return "";
    }
  }

  /** One thing after the other: what is kept is never two things at once. */
  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done.catch(() => undefined);
  }

  /** Give a hand, or go on with the one of this device; what the house signed before must still be so. */
  open(): Promise<void> {
    return this.#then(async () => {
      this.#dice = await this.#ask();
      this.#kept = {
        ...this.#kept,
        ...(JSON.parse(localStorage.getItem(this.#name) ?? "{}") as Partial<typeof NOTHING_KEPT>),
      };
      if (this.#kept.anchor) this.#anchors.add(this.#kept.anchor);
      if (!this.#seen.sequence) this.#goOn();
      await this.#opening();
      this.older = PAGES[this.#kept.page] ?? "dice-unknown";
      if (this.older === "dice-unknown" || this.older === "dice-first-protocol") this.#dice = undefined;
      if (!this.#dice) return;
      await this.#follow();
      await this.#renew();
    });
  }
  /** Learn from the first entry how the dice are drawn, and whose key signs the table. */
  async #opening(): Promise<void> {
    if (this.#signers.length && this.#kept.page) return;
    const first = (await chainOf(this.table, 0, 1)).links[0];
    const { signer = "", protocol = 1, revision = 1 } = (JSON.parse(first?.line ?? '{"body":{}}') as Entry).body;
    this.#kept.page = JSON.stringify([protocol, revision]).slice(1, -1).replace(",", ".");
    this.#kept.signer = signer;
    this.#signers = [signer];
    this.#keep();
  }
  /** Go on from what this device has checked before; what does not fit it is told as soon as the house is asked. */
  #goOn(): void {
    try {
      const known = JSON.parse(localStorage.getItem(this.#savedName) ?? "") as Checked;
      if (known.by !== import.meta.url) return;
      this.#journal.goOn(this.table, known.journal);
      [this.#seen, this.#signers, this.#signed, this.#closing] = [
        known.seen,
        known.signers,
        known.signed,
        known.closing,
      ];
      this.#unsigned = new Map(known.unsigned);
      this.#kept.signer = known.signers.at(-1) ?? "";
      this.rolls = Object.fromEntries(known.rolls.map((each) => [each.sequence, each]));
      this.#saved = known.seen.sequence;
    } catch {
      this.#journal = new Journal(); // nothing was kept, or nothing of ours: the table is checked from entry 1
    }
  }
  get #savedName(): string {
    return `${SAVED}${this.#dice?.stream}/${this.#dice?.you}`;
  }
  /** How far a table was checked, who signs it, and what its entries come to; by another program, which may look at more, it is begun anew. */
  checked() {
    return {
      by: import.meta.url,
      seen: this.#seen,
      signers: this.#signers,
      signed: this.#signed,
      unsigned: [...this.#unsigned],
      closing: this.#closing,
      rolls: Object.values(this.rolls).slice(-SAVED_ROLLS),
      journal: this.#journal.saved(this.table),
    };
  }
  /** Keep what was checked, now and then; never where something does not fit, so that it is found again. */
  #save(): void {
    if (this.#lied || this.#seen.sequence < this.#saved + SAVED_EVERY) return;
    const others = Object.keys(localStorage).filter((each) => each.startsWith(SAVED) && each !== this.#savedName);
    for (const each of others.slice(SAVED_MAX)) localStorage.removeItem(each);
    try {
      localStorage.setItem(this.#savedName, JSON.stringify(this.checked()));
      this.#saved = this.#seen.sequence;
    } catch {
      // This device keeps no more: the table is checked from entry 1 the next time.
    }
  }
  /** Show what is due, and have a hand on while its owner sits here and looks. */
  async #renew(): Promise<void> {
    const { you, hands, owed, stream, next_hand } = this.#dice as Dice;
    const on = hands.find(({ person }) => person === you);
    const known = [on, ...owed.filter(({ person }) => person === you)].some((each) => each?.hand === this.#kept.hand);
    if (known && !this.#values.length) this.#values = await this.#chain(stream, you);
    if (on && !this.#anchors.has(on.anchor)) this.trouble = "dice-stranger";
    await this.#show();
    // Nobody gives another hand to a house that contradicts itself, nor after a backup was put back under one's own entries.
    const gives = !on && !this.#kept.void && !this.#lied && this.seated() && document.visibilityState === "visible";
    if (gives) await this.#give(stream, you, next_hand);
    else this.#lost &&= !on;
  }
  async #chain(stream: string, you: string): Promise<Uint8Array[]> {
    const { hand, last } = this.#kept;
    const values = await links(fromHex(last), (at, value) => valueBefore(stream, you, hand, at, value));
    this.#kept.anchor = toHex(values[0] as Uint8Array);
    this.#anchors.add(this.#kept.anchor);
    return values;
  }
  async #give(stream: string, you: string, hand: number): Promise<void> {
    this.#kept = { ...this.#kept, hand, last: secret(), w: secret(), shown: {}, void: 0 };
    this.#values = await this.#chain(stream, you);
    this.#keep();
    const off = toHex(await offOf(stream, you, hand, fromHex(this.#kept.w)));
    const on = await this.#act({ kind: "table.hand_on", hand, anchor: this.#kept.anchor, off });
    if (on) [this.#lost, this.#taken] = [false, 0];
    else this.#values = [];
  }
  /** Take the hand off, so that nobody waits for a device that sleeps. */
  async off(): Promise<void> {
    if (!this.#values.length) return;
    this.#values = [];
    await this.#act({ kind: "table.hand_off", hand: this.#kept.hand, value: this.#kept.w }, true);
  }

  /** What is drawn on the felt here: the chain must have the same. */
  heard({ sequence, kind, events }: { sequence: number; kind: string; events: unknown[] }): void {
    if (kind === "acted") this.#drawn.set(sequence, ups(events as Happened[]));
  }

  /** The bets are closed: show the value that is due, once it is kept for which closing. Where the line is away, again. */
  closed(): Promise<void> {
    setTimeout(() => void this.#wait(), LATE_MS);
    return this.#then(async () => {
      for (let tries = 0; this.#dice && tries < TRIES; tries += 1) {
        try {
          this.#dice = await this.#ask();
          return await this.#show();
        } catch {
          // Nobody answered: the same once more.
        }
        await new Promise((go) => setTimeout(go, AGAIN_MS));
      }
    });
  }
  async #wait(): Promise<void> {
    const closing = (await this.#ask().catch(() => undefined))?.closing;
    this.waiting = closing?.missing ?? [];
    if (!closing) return;
    await new Promise((go) => setTimeout(go, OVERDUE_MS));
    const still = (await this.#ask().catch(() => undefined))?.closing;
    if (still?.entry.hash === closing.entry.hash) this.trouble = "dice-open";
  }
  async #show(): Promise<void> {
    const { closing, you } = this.#dice as Dice;
    await this.#showOwed(you);
    if (!closing?.missing.includes(you) || !this.#values.length) return;
    await this.#follow();
    const listed = this.#closing?.body.hands?.find(({ person }) => person === you);
    if (!this.#closing || listed?.hand !== this.#kept.hand || this.#lied) return;
    const { sequence, hash } = this.#closing;
    if (closing.head && closing.head.sequence < sequence) return; // this page was late, and is asked again
    const [last = 0, before = ""] = Object.entries(this.#kept.shown).at(-1) ?? [];
    const due = before === hash ? Number(last) : Number(last) + 1;
    if (listed.index !== due || closing.entry.hash !== hash || !this.#isClosing(closing.head, hash)) {
      this.trouble = "dice-unasked";
      return;
    }
    this.#kept.shown = { [due]: hash };
    this.#keepEntry(this.#closing);
    await this.#send(listed, hash);
  }
  /** Show the value that did not arrive, once the house has signed that: nothing goes to a journal that only this page is shown. */
  async #showOwed(person: string): Promise<void> {
    const { void: since, hand, shown } = this.#kept;
    if (!since || this.#signed < since || this.#lied || !this.#values.length) return;
    const index = Number(Object.keys(shown).at(-1));
    if (await this.#send({ person, hand, index }, null)) this.#kept.void = 0;
    this.#keep();
  }
  async #send({ hand, index }: Listed, closing: string | null): Promise<boolean> {
    const value = toHex(this.#values[index] as Uint8Array);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const made = await this.#act({ kind: "table.show_value", hand, index, value, closing });
      // After the roll was void it is `value_shown`: the house did not have it in time.
      if (closing && made && made !== "value_shown")
        [this.#taken, this.times.taken] = [index, new Date().toISOString()];
      if (made) return true;
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      if (closing && (await this.#ask()).closing?.entry.hash !== closing) return false;
    }
    return false;
  }
  /** Whether the house signed this closing, with the key of the table. */
  #isClosing(head: Head | null, hash: string): boolean {
    if (head?.hash !== hash || head.key !== this.#kept.signer || !isSigned(head)) return false;
    this.#sign([head]);
    return true;
  }

  // --- What the house said ------------------------------------------------------------------------------------------

  #keepEntry(entry: Entry): void {
    const entries = [...this.#kept.entries.filter(({ hash }) => hash !== entry.hash), entry];
    const closings = entries.filter(({ kind }) => kind !== "hand_on").slice(-HEADS_MAX);
    this.#kept.entries = [...entries.filter(({ kind }) => kind === "hand_on"), ...closings];
    this.#keep();
  }
  #sign(heads: Head[]): void {
    for (const head of heads.filter(isSigned)) {
      const known = this.#kept.heads.find(({ sequence }) => sequence === head.sequence);
      const followed = this.#unsigned.get(head.sequence);
      if (known && known.hash !== head.hash) this.misfit = { kept: known, shown: head };
      else if (followed && followed !== head.hash) this.misfit = { kept: followed, shown: head };
      else if (!known) this.#kept.heads = [...this.#kept.heads, head].slice(-HEADS_MAX);
      if (followed !== head.hash || head.key !== this.#kept.signer) continue;
      this.#signed = head.sequence;
      for (const at of [...this.#unsigned.keys()]) if (at <= head.sequence) this.#unsigned.delete(at);
    }
    this.#keep();
  }
  /** The house is known by the key that this device saw first; one that takes its place by its assent is it, too. */
  #pin(): void {
    const key = this.#kept.signer;
    if (!key) return;
    if (!this.#signers.includes(localStorage.getItem(HOUSE) ?? key)) this.trouble = "dice-key";
    else localStorage.setItem(HOUSE, key);
  }
  /** Take in the entries since: each is its own hash, follows the one before, and is what was signed. */
  async #follow(): Promise<void> {
    const oldest = this.#kept.heads.at(-1);
    for (;;) {
      // The last entry that was followed is asked for again: it must be the same.
      const after = Math.max(0, this.#seen.sequence - 1);
      const { links: fresh, heads, last } = await get("/tables/{table}/chain", { table: this.table, after });
      if (last < Math.max(this.#seen.sequence, oldest?.sequence ?? 0))
        this.misfit ??= { kept: oldest ?? this.#seen.hash, shown: fresh.at(-1) ?? String(last) };
      for (const link of fresh) await this.#link(link);
      this.rolls = { ...this.rolls, ...this.#fresh };
      this.#fresh = {};
      this.#sign(heads);
      this.#save();
      const isLast = !fresh.length || this.#seen.sequence >= last;
      this.checking = isLast ? 0 : Math.ceil((100 * this.#seen.sequence) / last);
      if (isLast) break;
    }
    this.#pin();
  }
  async #link(link: Link): Promise<void> {
    const { sequence, hash } = this.#seen;
    const again = link.sequence === sequence;
    const wrong = link.line !== null && hashOf(link.line) !== link.hash;
    const apart = again ? link.hash !== hash : hash && link.previous !== hash;
    const signed = this.#kept.heads.find((head) => head.sequence === link.sequence);
    if (wrong || apart || (signed && signed.hash !== link.hash))
      this.misfit = { kept: signed ?? this.#kept.heads.at(-1) ?? hash, shown: link };
    if (again) return;
    this.#seen = { sequence: link.sequence, hash: link.hash };
    this.#unsigned.set(link.sequence, link.hash);
    if (link.line) await this.#entry(JSON.parse(link.line) as Entry, link);
  }
  /** A roll has fallen, or come to nothing: whether it is as it must be, and whether one's hand is still on. */
  rolled(): Promise<void> {
    this.waiting = [];
    return this.#then(async () => {
      if (!this.#dice) return;
      await this.#follow();
      const [last] = Object.keys(this.#kept.shown);
      if (this.#values.length && Number(last) >= LATE && !this.#mine(this.#closing?.body.hands)) {
        await this.off();
        this.#lost = true;
      }
      if (!this.#lost || !this.seated()) return;
      this.#dice = await this.#ask();
      await this.#renew();
    });
  }
  /** The house takes no bet before it has the value that is owed: look at what it says, and show that. */
  owed(): Promise<void> {
    return this.#then(async () => {
      await this.#follow();
      this.#dice = await this.#ask();
      await this.#renew();
    });
  }
  #mine<T extends Listed>(listed?: T[]): T | undefined {
    return listed?.find(({ person, hand }) => person === this.#dice?.you && hand === this.#kept.hand);
  }
  async #entry(entry: Entry, link: Link): Promise<void> {
    const { kind, body } = entry;
    const drawn = this.#drawn.get(entry.sequence);
    if (drawn !== undefined && drawn !== ups(body.events ?? [])) this.misfit = { kept: drawn, shown: link };
    this.#drawn.delete(entry.sequence);
    if (kind === "bets_closed") [this.#closing, this.times.closed] = [entry, new Date().toISOString()];
    if (kind === "table_opened" && (body.signer ?? "") !== this.#signers[0])
      this.misfit = { kept: this.#signers[0] ?? "", shown: link };
    if (kind === "signer_named") {
      if (isAssent(entry, this.#kept.signer)) {
        this.#kept.signer = body.signer ?? "";
        this.#signers.push(this.#kept.signer);
      } else this.misfit = { kept: this.#kept.signer, shown: link };
    }
    const absent = kind === "roll_voided" && this.#mine(body.silent);
    if (absent) {
      this.times.void = new Date().toISOString();
      if (entry.sequence > (this.#kept.heads.at(-1)?.sequence ?? 0))
        this.trouble = absent.index === this.#taken ? "dice-denied" : "dice-absent";
      this.#owe(entry.sequence, absent.index);
    }
    const mine = body.person === this.#dice?.you;
    if (kind === "value_shown" && mine) this.#kept.void = 0;
    if (kind === "hand_on" && mine) {
      if (this.#anchors.has(body.anchor ?? "")) this.#keepEntry(entry);
      else if (this.#values.length) this.trouble = "dice-stranger";
    }
    const spent = kind === "rolled" && this.#mine(body.hands)?.index === VALUES;
    const off = kind === "table_restored" || (kind === "hand_off" && mine);
    if (absent || spent || off) this.#lost = true;
    await this.#check(entry);
  }
  /** The value of this index did not arrive: it is never shown for another closing than that one. */
  #owe(sequence: number, index: number): void {
    const last = Number(Object.keys(this.#kept.shown).at(-1) ?? 0);
    if (index !== last && index !== last + 1) this.trouble = "dice-unasked";
    else {
      this.#kept.shown = { [index]: this.#closing?.hash ?? "" };
      this.#kept.void = sequence;
    }
    this.#keep();
  }
  /** Hold an entry against every row of docs/dice.md, *Checking a table*. */
  async #check(entry: Entry): Promise<void> {
    const { kind, sequence, body } = entry;
    const faults = await this.#journal.entry(entry).catch((error: unknown) => [String(error)]);
    if (faults.length) this.broken ||= `#${sequence} ${faults.join("; ")}`;
    if (kind !== "rolled") return;
    const [hands, right] = [body.hands ?? [], !faults.length];
    const mine = hands.some(({ person }) => person === this.#dice?.you); // also by another device of theirs
    this.#fresh[sequence] = { sequence, people: hands.length, mine, right };
    if (mine && right && this.trouble !== "dice-key" && this.trouble !== "dice-stranger") this.trouble = "";
  }
}
