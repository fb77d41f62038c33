/** One's own hand in the dice, and every roll checked as it falls: docs/dice.md, *What a program does*. */

import {
  chainOf as links,
  dealt,
  faces,
  fromHex,
  linkBefore,
  offOf,
  toHex,
  valueBefore,
} from "../../../src/passline/verify/dice.mjs";
import { address, newKey } from "../ask";
import "../around/hashes";
import { isAssent, isSigned, type Head } from "../around/heads";
import { chainOf, hashOf, type Link } from "../around/proof";

interface Listed {
  person: string;
  hand: number;
  index: number;
}
type On = Listed & { anchor: string };
interface Dice {
  stream: string;
  protocol: number;
  hands: On[];
  owed: On[];
  you: string;
  next_hand: number;
  closing: { entry: { hash: string }; head: Head | null; missing: string[] } | null;
}
interface Entry {
  kind: string;
  table: string;
  previous: string;
  hash: string;
  sequence: number;
  body: {
    epoch: number;
    roll: number;
    link?: string;
    anchor?: string;
    dice?: number[];
    signer?: string;
    assent?: string;
    person?: string;
    hands?: (Listed & { value: string })[];
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
/** What this device keeps: its hand, the last index that it has shown and for which closing, and what the house signed. */
interface Kept {
  hand: number;
  last: string;
  w: string;
  shown: Record<string, string>;
  /** The entry that says that the last value did not arrive, until it was shown after all. */
  void: number;
  signer: string;
  heads: Head[];
}

/** What was found of a roll: whose hands are in it, and whether it follows from what was shown. */
export interface CheckedRoll {
  sequence: number;
  people: number;
  mine: boolean;
  right: boolean;
}

const HEADS_MAX = 60;
const VALUES = 1_000;
/** From this index on a hand is replaced after a roll that it was not in: with no chips up nobody gains by the moment. */
const LATE = 900;
const AGAIN_MS = 2_000;
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
  misfit = $state.raw<{ kept: Head | string; shown: Link | Head } | null>(null);
  /** What else is wrong between this hand and the house, as a word of the catalogue. */
  trouble = $state.raw<"" | "dice-absent" | "dice-denied" | "dice-unasked" | "dice-stranger" | "dice-key">("");
  #dice: Dice | undefined;
  #kept: Kept = { hand: 0, last: "", w: "", shown: {}, void: 0, signer: "", heads: [] };
  #values: Uint8Array[] = [];
  #seen = { sequence: 0, hash: "" };
  /** The anchors of the hands that this page made. */
  #anchors = new Set<string>();
  /** Up to which entry the house has signed what was followed, and the hashes of what it has not signed yet. */
  #signed = 0;
  #unsigned = new Map<number, string>();
  /** By epoch: the last link that was seen. */
  #links = new Map<number, { roll: number; link: string }>();
  /** By entry: the wagers that this page was told of, and has drawn. */
  #drawn = new Map<number, string>();
  /** The last closing that the chain has: what is asked for is read here, for anything else hashes to nothing. */
  #closing: Entry | undefined;
  /** Whether the hand was taken off, spent or struck since it was given. */
  #lost = false;
  /** The last index that the house took from this page. */
  #taken = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    readonly table: string,
    private readonly seated: () => boolean,
  ) {}

  /** For whoever is shown it: what the house signed to this device, and what does not fit. */
  get evidence(): unknown {
    return { misfit: this.misfit, trouble: this.trouble, signed: this.#kept.heads };
  }
  get #name(): string {
    return `passline.hand/${this.#dice?.stream}`;
  }
  #keep(): void {
    localStorage.setItem(this.#name, JSON.stringify(this.#kept));
  }
  async #ask(): Promise<Dice | undefined> {
    const answer = await fetch(address("/tables/{table}/dice", { table: this.table }), { credentials: "same-origin" });
    if (!answer.ok) return undefined;
    const dice = (await answer.json()) as Dice;
    return dice.protocol === 2 ? dice : undefined;
  }
  async #act(act: Record<string, unknown>, keepalive = false): Promise<boolean> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": newKey() };
    const asked = {
      method: "POST",
      headers,
      body: JSON.stringify(act),
      credentials: "same-origin",
      keepalive,
    } as const;
    try {
      return (await fetch(address("/tables/{table}/acts", { table: this.table }), asked)).ok;
    } catch {
      return false;
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
      if (!this.#dice) return;
      this.#kept = { ...this.#kept, ...(JSON.parse(localStorage.getItem(this.#name) ?? "{}") as Partial<Kept>) };
      await this.#follow();
      await this.#renew();
    });
  }
  /** Show what is due, and have a hand on while its owner sits here and looks. */
  async #renew(): Promise<void> {
    const { you, hands, owed, stream, next_hand } = this.#dice as Dice;
    const on = hands.find(({ person }) => person === you);
    const known = [on, ...owed.filter(({ person }) => person === you)].some((each) => each?.hand === this.#kept.hand);
    if (known && !this.#values.length) this.#values = await this.#chain(stream, you);
    if (on && !this.#anchors.has(on.anchor)) this.trouble = "dice-stranger";
    await this.#show();
    const gives = !on && !this.#kept.void && this.seated() && document.visibilityState === "visible";
    if (gives) await this.#give(stream, you, next_hand);
    else this.#lost &&= !on;
  }
  async #chain(stream: string, you: string): Promise<Uint8Array[]> {
    const { hand, last } = this.#kept;
    const values = await links(fromHex(last), (at, value) => valueBefore(stream, you, hand, at, value));
    this.#anchors.add(toHex(values[0] as Uint8Array));
    return values;
  }
  async #give(stream: string, you: string, hand: number): Promise<void> {
    this.#kept = { ...this.#kept, hand, last: secret(), w: secret(), shown: {}, void: 0 };
    this.#values = await this.#chain(stream, you);
    this.#keep();
    const off = toHex(await offOf(stream, you, hand, fromHex(this.#kept.w)));
    const on = await this.#act({ kind: "table.hand_on", hand, anchor: toHex(this.#values[0] as Uint8Array), off });
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

  /** The bets are closed: show the value that is due, once it is kept for which closing. */
  closed(): Promise<void> {
    return this.#then(async () => {
      if (!this.#dice) return;
      this.#dice = (await this.#ask()) ?? this.#dice;
      await this.#show();
    });
  }
  async #show(): Promise<void> {
    const { closing, you } = this.#dice as Dice;
    await this.#showOwed(you);
    if (!closing?.missing.includes(you) || !this.#values.length) return;
    await this.#follow();
    const listed = this.#closing?.body.hands?.find(({ person }) => person === you);
    if (!this.#closing || listed?.hand !== this.#kept.hand || this.misfit) return;
    const { sequence, hash } = this.#closing;
    if (closing.head && closing.head.sequence < sequence) return; // this page was late, and is asked again
    const [last = 0, before = ""] = Object.entries(this.#kept.shown).at(-1) ?? [];
    const due = before === hash ? Number(last) : Number(last) + 1;
    if (listed.index !== due || closing.entry.hash !== hash || !this.#isClosing(closing.head, hash)) {
      this.trouble = "dice-unasked";
      return;
    }
    this.#kept.shown = { [due]: hash };
    this.#keep();
    await this.#send(listed, hash);
  }
  /** Show the value that did not arrive, once the house has signed that: nothing goes to a journal that only this page is shown. */
  async #showOwed(person: string): Promise<void> {
    const { void: since, hand, shown } = this.#kept;
    if (!since || this.#signed < since || this.misfit || !this.#values.length) return;
    const index = Number(Object.keys(shown).at(-1));
    if (await this.#send({ person, hand, index }, null)) this.#kept.void = 0;
    this.#keep();
  }
  async #send({ hand, index }: Listed, closing: string | null): Promise<boolean> {
    const value = toHex(this.#values[index] as Uint8Array);
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await this.#act({ kind: "table.show_value", hand, index, value, closing })) {
        if (closing) this.#taken = index;
        return true;
      }
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      if (closing && (await this.#ask())?.closing?.entry.hash !== closing) return false;
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
  #pin(key: string, insteadOf = ""): void {
    const pinned = localStorage.getItem(HOUSE) ?? key;
    if (pinned !== key && pinned !== insteadOf) this.trouble = "dice-key";
    else localStorage.setItem(HOUSE, key);
  }
  /** Take in the entries since: each is its own hash, follows the one before, and is what was signed. */
  async #follow(): Promise<void> {
    if (!this.#kept.signer) {
      const first = (await chainOf(this.table, 0, 1)).links[0];
      if (first?.line) this.#kept.signer = (JSON.parse(first.line) as Entry).body.signer ?? "";
      if (this.#kept.signer) this.#pin(this.#kept.signer);
    }
    const oldest = this.#kept.heads.at(-1);
    const after = this.#seen.sequence || Math.max(0, (oldest?.sequence ?? 1) - 1);
    const { links: fresh, heads } = await chainOf(this.table, after);
    for (const link of fresh) {
      const wrong = link.line !== null && hashOf(link.line) !== link.hash;
      const apart = this.#seen.hash && link.previous !== this.#seen.hash;
      const signed = this.#kept.heads.find(({ sequence }) => sequence === link.sequence);
      if (wrong || apart || (signed && signed.hash !== link.hash))
        this.misfit = { kept: signed ?? this.#kept.heads.at(-1) ?? this.#seen.hash, shown: link };
      this.#seen = { sequence: link.sequence, hash: link.hash };
      this.#unsigned.set(link.sequence, link.hash);
      if (link.line) await this.#entry(JSON.parse(link.line) as Entry, link);
    }
    const end = fresh.at(-1)?.sequence ?? this.#seen.sequence;
    if (oldest && end && end < oldest.sequence) this.misfit = { kept: oldest, shown: fresh.at(-1) ?? oldest };
    this.#sign(heads);
  }
  /** A roll has fallen, or come to nothing: whether it is as it must be, and whether one's hand is still on. */
  rolled(): Promise<void> {
    return this.#then(async () => {
      if (!this.#dice) return;
      await this.#follow();
      const [last] = Object.keys(this.#kept.shown);
      if (this.#values.length && Number(last) >= LATE && !this.#mine(this.#closing?.body.hands)) {
        await this.off();
        this.#lost = true;
      }
      if (!this.#lost || !this.seated()) return;
      this.#dice = (await this.#ask()) ?? this.#dice;
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
    if (kind === "bets_closed") this.#closing = entry;
    if (kind === "signer_named") {
      if (isAssent(entry, this.#kept.signer)) {
        this.#pin(body.signer ?? "", this.#kept.signer);
        this.#kept.signer = body.signer ?? "";
      } else this.misfit = { kept: this.#kept.signer, shown: link };
    }
    const absent = kind === "roll_voided" && this.#mine(body.silent);
    if (absent) {
      this.trouble = absent.index === this.#taken ? "dice-denied" : "dice-absent";
      this.#owe(entry.sequence, absent.index);
    }
    const mine = body.person === this.#dice?.you;
    if (kind === "value_shown" && mine) this.#kept.void = 0;
    if (kind === "hand_on" && mine && this.#values.length && !this.#anchors.has(body.anchor ?? ""))
      this.trouble = "dice-stranger";
    const spent = kind === "rolled" && this.#mine(body.hands)?.index === VALUES;
    const off = kind === "table_restored" || (kind === "hand_off" && mine);
    if (absent || spent || off) this.#lost = true;
    await this.#roll(entry);
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
  async #roll({ kind, sequence, body }: Entry): Promise<void> {
    if (kind === "chain_committed" && body.anchor) this.#links.set(body.epoch, { roll: 0, link: body.anchor });
    if ((kind !== "rolled" && kind !== "roll_voided") || !body.link) return;
    const { stream, you } = this.#dice as Dice;
    const [link, last] = [fromHex(body.link), this.#links.get(body.epoch)];
    // The link before is that of the roll before, or the anchor; a device that has seen neither takes this one as its first.
    const before = last?.roll === body.roll - 1 ? last.link : undefined;
    const known = !before || toHex(await linkBefore(stream, body.epoch, body.roll, link)) === before;
    this.#links.set(body.epoch, { roll: body.roll, link: body.link });
    if (kind !== "rolled") return;
    const hands = body.hands ?? [];
    const own = this.#values[this.#mine(hands)?.index ?? -1];
    const mine = hands.find(({ person }) => person === you); // also by another device of theirs
    const values = hands.map(({ person, value }) => [person, fromHex(value)] as [string, Uint8Array]);
    const dice = faces(await dealt(link, stream, body.epoch, body.roll, values));
    const right = known && (!mine || !own || toHex(own) === mine.value) && dice === body.dice?.join("-");
    this.rolls = { ...this.rolls, [sequence]: { sequence, people: values.length, mine: Boolean(mine), right } };
    if (mine && right && this.trouble !== "dice-key" && this.trouble !== "dice-stranger") this.trouble = "";
  }
}
