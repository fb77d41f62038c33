// The dice of a live table, worked out again from docs/dice.md and nothing else: no library, in a browser or in Node.
//
//   node dice.mjs export FILE     every roll of an exported journal; 0 when all are right, 1 when one is not, 2 when it cannot be read
//   node dice.mjs vectors FILE    the vectors of docs/dice-vectors.json
//   node dice.mjs throws EPOCHS   the first rolls of its `many2`, a byte each, to standard output (throws1: of `many`)
//
// In a browser: import { checkExport } from "./dice.mjs". A fault of protocol 2 begins with the name of its row in the
// page's table of what must hold. What needs the rules of the game (what a wager is worth) only `passline verify` can see.

const FAIR_BYTES = 252;
const ROLLS_MAX = 1000;

// --- Bytes ---------------------------------------------------------------------------------------------------------

export const fromHex = (text) => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`${text} is not lower-case hexadecimal`);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const numberBytes = (value) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
};

const fieldBytes = (value) => {
  if (typeof value === "string") return new TextEncoder().encode(value);
  return value instanceof Uint8Array ? value : numberBytes(value);
};

/** The fields one after the other, each behind its length. */
export function message(...fields) {
  const parts = fields.map(fieldBytes);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

let hashes = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  hmac: async (key, bytes) => {
    const known = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", known, bytes));
  },
};
/** Other functions than WebCrypto's, which browsers keep from pages that came over plain HTTP. */
export const useHashes = (others) => (hashes = others);
const sha256 = (bytes) => hashes.sha256(bytes);

/** The dice of the first fair byte of HMAC blocks, as a value 0 to 35; `fields(block)` are what is signed. */
async function drawn(key, fields) {
  for (let block = 0; ; block += 1) {
    const value = picked(await hashes.hmac(key, message(...fields(block))));
    if (value !== null) return value;
  }
}

// --- Commitments, mix, dice ------------------------------------------------------------------------------------------

export const houseCommitment = (table, epoch, seed) => sha256(message("passline/dice/1/house", table, epoch, seed));

export const playerCommitment = (table, epoch, player, house, seed) =>
  sha256(message("passline/dice/1/player", table, epoch, player, house, seed));

const byBytes = (a, b) => {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
};

/** What the seeds come to; `seeds` is a list of [player, seed]. */
export function mix(table, epoch, house, seeds) {
  const ordered = seeds.map(([player, seed]) => [new TextEncoder().encode(player), seed]);
  ordered.sort(([a], [b]) => byBytes(a, b));
  return sha256(message("passline/dice/1/mix", table, epoch, house, seeds.length, ...ordered.flat()));
}

/** The value 0 to 35 of the first fair byte of a block, or null. */
export function picked(block) {
  const byte = block.find((value) => value < FAIR_BYTES);
  return byte === undefined ? null : byte % 36;
}

export const faces = (value) => `${Math.floor(value / 6) + 1}-${(value % 6) + 1}`;

/** Protocol 1: the rolls of an epoch from `first` to `last`, each as a value 0 to 35. */
export const rolls = (seed, table, epoch, mixed, first, last) =>
  Promise.all(
    Array.from({ length: last - first + 1 }, (_, at) =>
      drawn(seed, (block) => ["passline/dice/1/roll", table, epoch, first + at, block, mixed]),
    ),
  );

// --- Protocol 2: chains ----------------------------------------------------------------------------------------------

/** The house's link before this one; and the value of a hand before this one. */
export const linkBefore = (table, epoch, roll, link) => sha256(message("passline/dice/2/link", table, epoch, roll, link));
export const valueBefore = (table, person, hand, index, value) =>
  sha256(message("passline/dice/2/hand", table, person, hand, index, value));
/** What is published of the value that takes a hand off. */
export const offOf = (table, person, hand, w) => sha256(message("passline/dice/2/off", table, person, hand, w));

/** A chain from its last link to its anchor: the anchor first. */
export async function chainOf(last, before) {
  const links = [last];
  for (let at = ROLLS_MAX; at > 0; at -= 1) links.push(await before(at, links[links.length - 1]));
  return links.reverse();
}

/** A roll of protocol 2, as a value 0 to 35; `values` is a list of [person, value]. */
export function dealt(link, table, epoch, roll, values) {
  const ordered = values.map(([person, value]) => [new TextEncoder().encode(person), value]);
  ordered.sort(([a], [b]) => byBytes(a, b));
  return drawn(link, (block) => ["passline/dice/2/roll", table, epoch, roll, block, values.length, ...ordered.flat()]);
}

// --- An exported journal ---------------------------------------------------------------------------------------------

class Wrong extends Error {}

const DAY_MS = 86_400_000;

/** What lies on the felt, by seat, after an entry's postings. */
function count(up, body) {
  for (const [from, to, amount] of body.postings ?? []) {
    for (const [place, sign] of [[from, -1], [to, 1]]) {
      const [name, seat] = place.split("/");
      if (name === "felt" || name === "tokens_up") up.set(Number(seat), (up.get(Number(seat)) ?? 0) + sign * amount);
    }
  }
}

/** One epoch of one table, as the entries tell it. */
class Epoch {
  constructor(table, number, commitment) {
    Object.assign(this, { table, number, commitment, promised: new Map(), seeds: new Map(), mix: null, dice: [], over: false });
  }

  need(holds, why) {
    if (!holds) throw new Wrong(`epoch ${this.number}: ${why}`);
  }

  async shown(player, seed) {
    this.need(!this.mix && !this.over, "a seed was shown after the mix");
    this.need(this.promised.has(player) && !this.seeds.has(player), `${player} has no seed to show`);
    const committed = await playerCommitment(this.table, this.number, player, fromHex(this.commitment), fromHex(seed));
    this.need(toHex(committed) === this.promised.get(player), `the seed of ${player} is not the one promised`);
    this.seeds.set(player, fromHex(seed));
  }

  async frozen(mixed) {
    this.need(!this.mix && !this.over, "it was mixed twice, or after its end");
    this.need(this.promised.size === this.seeds.size, "it was mixed without a seed that was promised");
    const own = toHex(await mix(this.table, this.number, fromHex(this.commitment), [...this.seeds]));
    this.need(own === mixed, "the mix is not that of its seeds");
    this.mix = mixed;
  }

  spent(roll, dice) {
    this.need(this.mix && !this.over, "a roll without a mix, or after the seed was shown");
    this.need(roll === this.dice.length + 1 && roll <= ROLLS_MAX, `roll ${roll} follows roll ${this.dice.length}`);
    this.dice.push(dice);
  }

  async ended(seed, count) {
    this.need(!this.over, "its seed was shown twice");
    const committed = toHex(await houseCommitment(this.table, this.number, fromHex(seed)));
    this.need(committed === this.commitment, "the seed is not the one the house was committed to");
    this.need(count === this.dice.length, `${count} rolls are named and ${this.dice.length} were spent`);
    this.over = true;
    if (!this.dice.length) return;
    const own = await rolls(fromHex(seed), this.table, this.number, fromHex(this.mix), 1, this.dice.length);
    this.dice.forEach((dice, at) => {
      const right = dice === null || dice === faces(own[at]);
      this.need(right, `roll ${at + 1} is told as ${dice} and the seeds make ${faces(own[at])}`);
    });
  }
}

/** One table of protocol 1: its entries in order, and what was counted. */
class Table {
  constructor(stream, counts) {
    Object.assign(this, { stream, counts, epochs: new Map(), barred: new Set(), announced: null, up: new Map(), early: null, restored: 0 });
  }

  epoch(number) {
    const found = this.epochs.get(number);
    if (!found) throw new Wrong(`epoch ${number} was never committed to`);
    return found;
  }

  async entry({ kind, body, time }) {
    if (kind === "table_stopped" || kind === "table_closed" || kind === "table_restored") this.early = null;
    if (kind === "table_restored") this.restored = Math.max(this.restored, body.epoch);
    if (kind === "rolled" && this.early) {
      const what = this.early;
      this.early = null;
      await this.dice(kind, body, time);
      throw new Wrong(what);
    }
    await this.dice(kind, body, time);
    count(this.up, body);
  }

  async dice(kind, body, time) {
    switch (kind) {
      case "seed_committed":
        if (this.epochs.has(body.epoch)) throw new Wrong(`epoch ${body.epoch} was committed to twice`);
        this.epochs.set(body.epoch, new Epoch(this.stream, body.epoch, body.commitment));
        break;
      case "player_seed_committed": {
        const epoch = this.epoch(body.epoch);
        epoch.need(!epoch.seeds.size && !epoch.mix && !epoch.over, `${body.player} promised a seed too late`);
        epoch.need(!epoch.promised.has(body.player) && !this.barred.has(body.player), `${body.player} may promise no seed`);
        epoch.promised.set(body.player, body.commitment);
        break;
      }
      case "player_seed_revealed":
        await this.epoch(body.epoch).shown(body.player, body.seed);
        this.counts.seeds += 1;
        break;
      case "mix_frozen":
        await this.epoch(body.epoch).frozen(body.mix);
        this.epoch(body.epoch).begun = time;
        break;
      case "bets_closed":
        this.announced = body;
        break;
      case "table_stopped": // a roll that was announced has spent its number, and never has dice
        if (this.announced) this.epoch(this.announced.epoch).spent(this.announced.roll, null);
        break;
      case "rolled":
        this.announced = null;
        this.epoch(body.epoch).spent(body.roll, body.dice.join("-"));
        this.counts.rolls += 1;
        break;
      case "roll_voided":
        this.announced = null;
        this.epoch(body.epoch).spent(body.roll, null);
        this.counts.void += 1;
        break;
      case "seed_revealed": {
        const epoch = this.epoch(body.epoch);
        await epoch.ended(body.seed, body.rolls);
        const whole = epoch.dice.length >= ROLLS_MAX || (epoch.begun && Date.parse(time) - Date.parse(epoch.begun) >= DAY_MS);
        if (!whole && body.epoch > this.restored && !body.owing?.length && [...this.up.values()].some((chips) => chips > 0))
          this.early = `early_end: epoch ${body.epoch} was ended with bets up, and the table deals on`;
        this.counts.epochs += 1;
        if (!epoch.mix) this.bar([...epoch.promised.keys()].filter((player) => !epoch.seeds.has(player)));
        break;
      }
      default:
    }
  }

  /** Who owed a seed gives none any more, not even one promised already. */
  bar(players) {
    for (const player of players) {
      this.barred.add(player);
      for (const epoch of this.epochs.values()) if (!epoch.over) epoch.promised.delete(player);
    }
  }

  finish() {
    for (const epoch of this.epochs.values()) if (!epoch.over) this.counts.unchecked += epoch.dice.length;
  }
}

const [WAITS_MS, WAITS_MAX_MS, VOIDS_MAX, VOIDS_IN] = [20_000, 600_000, 2, 100];
const STILL = new Set(
  ("bets_closed floor_heard refused roll_voided rolled signer_named table_counted table_restored table_stopped " +
    "table_taken value_received value_shown").split(" "),
);
/** What may follow the end of a table: what was still secret, and chips that go home. */
const AFTERWARDS = { table_stopped: ["chain_shown", "chips_returned", "floor_heard", "refused"], table_closed: [] };
/** The kinds of entries that a table of protocol 2 follows, by methods of their names. */
const ON = new Set(
  ("acted floor_acted chain_committed chain_shown hand_on hand_off bets_closed value_received rolled roll_voided " +
    "value_shown table_restored table_stopped table_closed").split(" "),
);
/** The kinds of entries in which chips move. */
const MOVES = new Set("acted floor_acted rolled roll_voided corrected table_restored chips_returned".split(" "));
const absent = ({ hands, received }) => hands.filter(({ person }) => !received.has(person));
const same = (some, others) => String(some.map(named)) === String(others.map(named));
const named = ({ person, hand, index }) => JSON.stringify([person, hand, index]);
const ordered = (people) => people.sort((a, b) => byBytes(new TextEncoder().encode(a), new TextEncoder().encode(b)));

/** The closings of a table, or those in which somebody had a wager up; and which of them came to nothing. */
const newCap = () => ({ closings: 0, voids: [] });
/** One more did: how many of the last hundred that is. */
function oneMore(cap) {
  cap.voids = [...cap.voids.filter((each) => each > cap.closings - VOIDS_IN), cap.closings];
  return cap.voids.length;
}

/** One table of protocol 2. */
class Table2 {
  constructor({ stream }, counts, found) {
    Object.assign(this, { stream, counts, found, chains: new Map(), hands: new Map(), owners: new Map(), seated: new Map(), up: new Map() });
    Object.assign(this, { epoch: 1, base: 0, last: 0, owed: [], closing: null, begun: false });
    Object.assign(this, { cap: newCap(), caps: new Map(), hadUp: new Set(), rolledUp: [], faults: [], ended: null, ends: false, mustStop: null });
  }

  need(holds, name, why) {
    if (!holds) this.faults.push(`${name}: ${why}`);
  }

  async entry(entry) {
    const { kind, body, table, sequence } = entry;
    this.at = { table, sequence };
    this.need(!this.ended || AFTERWARDS[this.ended].includes(kind), "after_end", `${kind} follows ${this.ended}`);
    this.need(!this.mustStop || kind === "table_stopped", ...(this.mustStop || []));
    this.mustStop = null;
    this.need(!this.ends || ["chain_shown", "table_closed"].includes(kind), "early_end", "chains were shown to their ends, and the table goes on");
    this.ends = false;
    const moves = !STILL.has(kind) && !(kind === "floor_acted" && !body.events?.length);
    this.need(!this.closing || !moves, "between", `${kind} stands between the bets closed and the dice`);
    if (ON.has(kind)) await this[kind](body, entry);
    this.need(!body.postings?.length || MOVES.has(kind), "postings", `chips move in ${kind}, which moves none`);
    count(this.up, body);
    this.stayUp(kind, body);
    for (const each of body.events ?? []) if (each.kind === "event.player_left") this.seated.delete(each.seat);
    for (const each of body.events ?? []) if (each.kind === "event.outcome_struck_out") this.comesToNothing(this.rolledUp.pop() ?? this.hadUp, false);
    const faults = this.faults.splice(0);
    if (faults.length) throw new Wrong(faults.join("; "));
  }

  /** Wagers that should have been settled: of the silent; of all, where a roll failed or a backup was put back. */
  stayUp(kind, body) {
    const up = [...this.up].filter(([, chips]) => chips > 0).map(([seat]) => this.owners.get(seat));
    const silent = new Set((body.silent ?? []).map(({ person }) => person));
    if (kind === "roll_voided" && !silent.size && up.length) {
      this.mustStop ??= ["void_early", "nobody was silent, wagers stay up, and no stop follows"];
    } else if (kind === "roll_voided" || kind === "table_restored") {
      const theirs = kind === "table_restored" ? up : up.filter((person) => silent.has(person));
      this.need(!theirs.length, "void_early", `wagers of ${theirs.join(", ")} stay up that were to be settled`);
    }
  }

  acted({ command }, { actor, role, kind }) {
    this.need(this.last >= this.base + 2, "late_anchor", "somebody acts before the house is committed to two chains");
    this.begun = true;
    this.counts.returns += ["command.return_all", "floor.return_wagers"].includes(command?.kind) ? 1 : 0;
    const owner = this.owners.get(command?.seat) ?? actor;
    if (command?.kind === "command.sit") {
      this.need(owner === actor || !(this.up.get(command.seat) > 0), "seat_given", `${actor} gets seat ${command.seat}, where ${owner} has a wager up`);
      const seated = this.seated.get(command.seat) ?? actor;
      this.need(seated === actor, "seat_given", `${actor} gets seat ${command.seat}, where ${seated} sits`);
      this.owners.set(command.seat, actor);
      this.seated.set(command.seat, actor);
    } else if (kind === "acted" && role === "player")
      this.need(owner === actor, "seat_given", `${actor} acts at seat ${command?.seat}, which is that of ${owner}`);
  }
  floor_acted(body, entry) {
    this.acted(body, entry);
  }

  chain_committed({ epoch, anchor }) {
    this.need(epoch === this.last + 1, "number", `epoch ${epoch} is committed to where ${this.last + 1} is due`);
    const first = !this.begun && epoch > this.base && epoch <= this.base + 2 && [...this.chains.keys()].every((each) => each > this.base);
    const turn = epoch === this.epoch + 1 && this.chains.get(this.epoch)?.rolls === 0;
    this.need(first || turn, "late_anchor", `epoch ${epoch} is committed to while epoch ${this.epoch} is dealt`);
    if (first) this.epoch = this.base + 1;
    this.last = epoch;
    this.chains.set(epoch, { last: anchor, shown: 0, rolls: 0 });
  }

  async chain_shown({ epoch, link }) {
    const chain = this.chains.get(epoch);
    this.need(chain, "number", `epoch ${epoch} is not committed to, or is over`);
    if (!chain) return;
    let bytes = fromHex(link);
    for (let roll = ROLLS_MAX; roll > chain.shown; roll -= 1) bytes = await linkBefore(this.stream, epoch, roll, bytes);
    this.need(toHex(bytes) === chain.last, "link", `it is not the end of the chain of epoch ${epoch}`);
    this.chains.delete(epoch);
    this.ends = !this.ended && epoch > this.base;
  }

  hand_on({ person, hand, anchor, off }, { actor }) {
    const known = this.hands.get(person);
    this.need(person === actor, "not_on", `${actor} gives a hand in the name of ${person}`);
    this.need(hand === (known?.hand ?? 0) + 1, "number", `hand ${hand} of ${person} does not follow the last`);
    this.need(!known?.on, "forged_off", `${person} gives a hand, and the one before was not taken off`);
    this.hands.set(person, { hand, last: anchor, off, index: 0, on: true });
    this.counts.hands += 1;
  }

  async hand_off({ person, hand, value }) {
    const known = this.hands.get(person);
    this.need(known?.on && known.hand === hand, "number", `hand ${hand} of ${person} is not on`);
    const off = toHex(await offOf(this.stream, person, hand, fromHex(value)));
    this.need(off === known?.off, "forged_off", `only ${person} could take this hand off, and this is another value`);
    if (known) known.on = false;
  }

  /** Whoever has a wager up. */
  playing() {
    return new Set([...this.up].filter(([seat, chips]) => chips > 0 && this.owners.has(seat)).map(([seat]) => this.owners.get(seat)));
  }

  /** Every hand that is on and whose owner has a wager up, with its next index. */
  due() {
    const playing = this.playing();
    const people = ordered([...this.hands].filter(([person, { on }]) => on && playing.has(person)).map(([person]) => person));
    return people.map((person) => ({ person, hand: this.hands.get(person).hand, index: this.hands.get(person).index + 1 }));
  }

  bets_closed(body, entry) {
    const { epoch, roll, hands } = body;
    const [chain, current] = [this.chains.get(epoch), this.chains.get(this.epoch)];
    this.need(!this.closing, "between", "the bets are closed, and the roll before is not over");
    this.need(epoch === this.epoch || !current, "early_end", `epoch ${epoch} deals, and epoch ${this.epoch} has dealt ${current?.rolls}`);
    this.need(!chain || (roll === chain.rolls + 1 && roll <= ROLLS_MAX), "number", `roll ${roll} follows roll ${chain?.rolls}`);
    this.need(chain && this.chains.has(epoch + 1), "late_anchor", `epoch ${epoch} deals, and it or the next is not committed to`);
    const [listed, due] = [hands.map(named), this.due().map(named)];
    for (const each of due) this.need(listed.includes(each), "left_out", `${each} is on, with chips up`);
    for (const each of listed) this.need(due.includes(each), "not_on", `${each} is no hand that is on with chips up`);
    const sorted = ordered(hands.map(({ person }) => person)).every((person, at) => person === hands[at].person && person !== hands[at - 1]?.person);
    this.need(sorted, "not_on", "they are not in the order of their names, or are there twice");
    for (const { person, index } of hands) if (this.hands.has(person)) this.hands.get(person).index = index;
    if (chain) chain.rolls = roll;
    for (const person of this.playing())
      if (!hands.some((each) => each.person === person)) this.found.unlisted[person] = (this.found.unlisted[person] ?? 0) + 1;
    this.cap.closings += 1;
    this.hadUp = this.playing();
    for (const person of this.hadUp) {
      if (!this.caps.has(person)) this.caps.set(person, newCap());
      this.caps.get(person).closings += 1;
    }
    this.closing = { entry, hands, received: new Set() };
  }

  value_received(body) {
    const { closing } = this;
    const open = closing && body.closing === closing.entry.hash;
    this.need(open, "value", "it is for no closing that is open");
    this.need(!open || (closing.hands.map(named).includes(named(body)) && !closing.received.has(body.person)), "value", `that of ${body.person} is not awaited, or is in already`);
    closing?.received.add(body.person);
  }

  async shown({ epoch, roll, link, hands }, closing) {
    const chain = this.chains.get(epoch);
    if (chain) {
      const before = toHex(await linkBefore(this.stream, epoch, roll, fromHex(link)));
      this.need(before === chain.last, "link", `it is not the link of roll ${roll} that was committed to`);
      [chain.last, chain.shown] = [link, roll];
      if (roll >= ROLLS_MAX) {
        this.chains.delete(epoch);
        this.epoch = epoch + 1;
      }
    }
    const came = closing.hands.filter(({ person }) => closing.received.has(person));
    this.need(same(hands, came), "value", "these are not the values that were received");
    for (const each of hands) await this.value(each);
  }

  async value({ person, hand, index, value }) {
    const known = this.hands.get(person);
    const before = toHex(await valueBefore(this.stream, person, hand, index, fromHex(value)));
    this.need(before === known?.last, "value", `it is not the value that ${person} is committed to`);
    if (known) [known.last, known.on] = [value, known.on && index < ROLLS_MAX];
  }

  make({ link, epoch, roll }, values) {
    return dealt(fromHex(link), this.stream, epoch, roll, values.map(({ person, value }) => [person, fromHex(value)]));
  }

  /** The closing of a roll that is over now. */
  async over(body) {
    const { closing } = this;
    this.closing = null;
    const closed = closing?.entry.body.epoch === body.epoch && closing.entry.body.roll === body.roll;
    this.need(closed, "between", "the bets were not closed for this roll");
    if (!closed) return null;
    if (body.link) await this.shown(body, closing);
    return closing;
  }

  async rolled(body) {
    const closing = await this.over(body);
    if (!closing) return;
    const missing = absent(closing);
    this.need(!missing.length, "value", `it is rolled without that of ${missing.map(({ person }) => person).join(", ")}`);
    const own = faces(await this.make(body, body.hands));
    this.need(own === body.dice.join("-"), "dice", `they are ${body.dice.join("-")}, and link and values make ${own}`);
    this.rolledUp = [...this.rolledUp.slice(1 - VOIDS_IN), this.hadUp];
    this.counts.rolls += 1;
    if (!body.hands.length) this.counts.house_alone += 1;
  }

  async roll_voided(body, entry) {
    const closing = await this.over(body);
    this.counts.void += 1;
    this.need(!body.people?.length, "void_by_crew", "nobody declares a roll of drawn dice void");
    if (!closing) return;
    const [silent, missing] = [body.silent ?? [], absent(closing)];
    this.need(!silent.length || same(silent, missing), "value", "other values did not arrive than it says");
    this.need(!body.returned, "void_early", "stakes went back for what is worth something else");
    const waited = Date.parse(entry.time.replace(":60", ":59")) - Date.parse(closing.entry.time.replace(":60", ":59"));
    this.need(!silent.length || waited >= WAITS_MS, "void_early", `values were awaited for ${waited / 1000} s`);
    for (const { person } of silent) {
      this.found.silent[person] = (this.found.silent[person] ?? 0) + 1;
      if (this.hands.has(person)) this.hands.get(person).on = false;
    }
    this.comesToNothing(this.hadUp, !silent.length || waited >= WAITS_MAX_MS);
    if (!body.link) this.mustStop = ["link", "a link was not to be had, and no stop follows"];
    const roll = { table: entry.table, sequence: entry.sequence, silent: silent.map(({ person }) => person), dice: null };
    this.found.voids.push(roll);
    if (!body.link) return;
    this.owed.push({ body, roll, values: [...body.hands], owed: new Set(missing.map(named)) });
    await this.priced();
  }

  /** Two in any hundred closings may, of the table and of each of these people; with a third the table stops. */
  comesToNothing(people, stops) {
    const counted = [["", this.cap], ...[...people].map((person) => [` in which ${person} had a wager up`, this.caps.get(person)])];
    for (const [theirs, cap] of counted) {
      const voids = oneMore(cap);
      if (voids <= VOIDS_MAX) continue;
      const no = ["void_cap", `${voids} of ${VOIDS_IN} rolls${theirs} came to nothing, and no stop follows`];
      if (stops) this.mustStop = no;
      else this.need(false, ...no);
    }
  }

  async value_shown(body) {
    const void_ = this.owed.find(({ owed }) => owed.has(named(body)));
    this.need(void_, "value", `${body.person} owes none`);
    if (!void_) return;
    await this.value(body);
    void_.owed.delete(named(body));
    void_.values.push(body);
    await this.priced();
  }

  /** The dice that void rolls would have had, once every value is known. */
  async priced() {
    for (const each of this.owed.filter(({ owed }) => !owed.size)) each.roll.dice = faces(await this.make(each.body, each.values));
    this.owed = this.owed.filter(({ owed }) => owed.size);
  }

  table_restored({ epoch, head }, { sequence, previous }) {
    this.counts.restores += 1;
    this.need(epoch === this.last, "number", `a backup of epoch ${epoch}, and the house is committed to ${this.last}`);
    this.need(head?.[0] === sequence - 1 && head[1] === previous, "number", "its head is not the entry before it");
    this.undone();
    this.comesToNothing(new Set(this.caps.keys()), true);
    [this.base, this.begun] = [this.last, false];
    for (const hand of this.hands.values()) hand.on = false;
  }
  table_stopped() {
    this.counts.stops += 1;
    this.need(!this.closing, "void_early", "a roll is announced, and was not settled before the table stopped");
    this.undone();
    [this.ended, this.mustStop] = ["table_stopped", null];
  }
  /** A roll that was announced never has dice now. */
  undone() {
    if (this.closing) this.counts.undone_closings += 1;
    this.closing = null;
  }
  table_closed() {
    this.ended = "table_closed";
    this.need(!this.chains.size, "early_end", `the chains of epochs ${[...this.chains.keys()].join(", ")} were not shown`);
  }

  finish() {
    if (this.closing) this.counts.open_closings += 1;
    if (this.mustStop) this.found.faults.push({ ...this.at, what: this.mustStop.join(": ") });
  }
}

/** How often fair dice bring so unlikely a number of sevens, too many or too few, as `verify` has it. */
export function chanceOfSevens(rolls, sevens) {
  const terms = [(5 / 6) ** rolls];
  for (let at = 0; at < rolls; at += 1) terms.push((terms[at] * (rolls - at)) / (at + 1) / 5);
  const most = terms[sevens] * (1 + 1e-9);
  return Math.min(1, terms.filter((term) => term <= most).reduce((sum, term) => sum + term, 0));
}

// What was checked as JSON takes it, and back.
const packed = (_, value) => (value instanceof Map ? { Map: [...value] } : value instanceof Set ? { Set: [...value] } : value);
const unpacked = (_, value) => (value?.Map ? new Map(value.Map) : value?.Set ? new Set(value.Set) : value);

/** A journal, entry by entry, as it is read or as it is written. */
export class Journal {
  constructor() {
    const counts = { tables: 0, epochs: 0, seeds: 0, rolls: 0, void: 0, unchecked: 0, hands: 0, house_alone: 0, restores: 0, stops: 0, returns: 0, undone_closings: 0, open_closings: 0, first_protocol: 0 };
    this.found = { counts, faults: [], voids: [], silent: {}, unlisted: {} };
    [this.tables, this.readers] = [new Map(), new Set()];
  }

  /** Take in the next entry of a table: what is wrong with it, in words. */
  async entry(entry) {
    const { kind, body, table, sequence } = entry;
    const { tables, readers, found } = this;
    const wrong = [];
    if (kind === "table_opened" && body.dice === "fair") {
      const second = body.protocol === 2;
      tables.set(table, second ? new Table2(body, found.counts, found) : new Table(body.stream, found.counts));
      found.counts.tables += 1;
      found.counts.first_protocol += second ? 0 : 1;
    }
    const unknown = kind === "table_opened" && ((body.protocol ?? 2) !== 2 || body.protocol === null || body.revision !== (body.protocol ? 2 : undefined));
    if (unknown) wrong.push(`protocol: there is no protocol ${body.protocol}, revision ${body.revision}`);
    if (kind === "table_opened" && body.wallets && body.dice === "real") readers.add(table);
    const alone = (kind === "table_opened" && body.wallets && body.dice === "given") || (kind === "rolled" && readers.has(table) && !body.readings);
    if (alone) wrong.push("one_voice: dice for the house's money that one voice says");
    try {
      await tables.get(table)?.entry(entry);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong.push(error.message);
    }
    found.faults.push(...wrong.map((what) => ({ table, sequence, what })));
    return wrong;
  }

  /** What the entries of a table of protocol 2 come to so far, as text: whoever saves it goes on from there. */
  saved(table) {
    const { counts: _counts, found: _found, ...state } = this.tables.get(table);
    return JSON.stringify(state, packed);
  }
  /** Go on with a table from what was saved; what was found before that is not told again. */
  goOn(table, text) {
    const known = JSON.parse(text, unpacked);
    this.tables.set(table, Object.assign(new Table2(known, this.found.counts, this.found), known));
  }

  /** What was counted, with what is open at the end. */
  finish() {
    for (const table of this.tables.values()) table.finish();
    const known = this.found.voids.filter(({ dice }) => dice);
    const sevens = known.filter(({ dice }) => dice.split("-").reduce((sum, face) => sum + Number(face), 0) === 7).length;
    return { ...this.found, sevens: { voids: known.length, sevens, chance: chanceOfSevens(known.length, sevens) } };
  }
}

/** Every roll of an export: { counts, faults, voids, silent, unlisted, sevens }, a fault for each entry that is wrong. */
export async function checkExport(text) {
  const journal = new Journal();
  for (const line of text.split("\n").filter(Boolean)) await journal.entry(JSON.parse(line));
  return journal.finish();
}

// --- The vectors -----------------------------------------------------------------------------------------------------

const told = ({ text, number, bytes }) => (bytes !== undefined ? fromHex(bytes) : (text ?? BigInt(number)));

/** Everything in docs/dice-vectors.json but `many`: how many values were compared, and those that differ. */
export async function checkVectors(data) {
  const wrong = [];
  let compared = 0;
  const same = (name, ours, theirs) => {
    compared += 1;
    if (ours !== theirs) wrong.push(`${name}: ${ours} is not ${theirs}`);
  };
  for (const one of data.messages) same("message", toHex(message(...one.fields.map(told))), one.message);
  data.faces.split(" ").forEach((face, byte) => {
    const value = picked(Uint8Array.of(byte));
    same(`byte ${byte}`, value === null ? "none" : faces(value), face);
  });
  for (const one of data.blocks) {
    same("blocks", faces(one.blocks.map((block) => picked(fromHex(block))).find((value) => value !== null)), one.roll);
  }
  for (const one of data.chains) {
    const links = await chainOf(fromHex(one.last), (at, link) => linkBefore(one.table, one.epoch, at, link));
    same("anchor", toHex(links[0]), one.anchor);
    for (const [at, link] of Object.entries(one.links)) same(`link ${at}`, toHex(links[at]), link);
    const hands = [];
    for (const { person, hand, last, anchor, first, w, off } of one.hands) {
      const values = await chainOf(fromHex(last), (at, value) => valueBefore(one.table, person, hand, at, value));
      same(person, `${toHex(values[0])} ${toHex(values[1])}`, `${anchor} ${first}`);
      same(person, toHex(await offOf(one.table, person, hand, fromHex(w))), off);
      hands.push([person, values]);
    }
    for (const [at, roll] of one.rolls.split(" ").entries()) {
      const values = hands.map(([person, each]) => [person, each[at + 1]]);
      same(`roll ${at + 1} of ${one.table.slice(0, 20)}`, faces(await dealt(links[at + 1], one.table, one.epoch, at + 1, values)), roll);
    }
  }
  for (const one of data.epochs) {
    const [seed, house] = [fromHex(one.seed), fromHex(one.commitment)];
    same("commitment", toHex(await houseCommitment(one.table, one.epoch, seed)), one.commitment);
    for (const { player, seed: given, commitment } of one.players) {
      same(player, toHex(await playerCommitment(one.table, one.epoch, player, house, fromHex(given))), commitment);
    }
    const seeds = one.players.map(({ player, seed: given }) => [player, fromHex(given)]);
    same("mix", toHex(await mix(one.table, one.epoch, house, seeds)), one.mix);
    const dealt = one.rolls.split(" ");
    const own = await rolls(seed, one.table, one.epoch, fromHex(one.mix), 1, dealt.length);
    dealt.forEach((roll, at) => same(`roll ${at + 1} of ${one.table.slice(0, 20)}`, faces(own[at]), roll));
  }
  return { compared, wrong };
}

/** The rolls of the first epochs of `many2`, or of protocol 1's `many`, a byte each. */
export async function manyThrows(many, epochs, protocol = 2) {
  const throws = [];
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    const secret = await sha256(message(`passline/dice/${protocol}/vectors`, epoch));
    if (protocol === 1) {
      const mixed = await mix(many.table, epoch, await houseCommitment(many.table, epoch, secret), []);
      throws.push(...(await rolls(secret, many.table, epoch, mixed, 1, many.rolls)));
      continue;
    }
    const links = await chainOf(secret, (at, link) => linkBefore(many.table, epoch, at, link));
    for (let roll = 1; roll <= many.rolls; roll += 1) throws.push(await dealt(links[roll], many.table, epoch, roll, []));
  }
  return Uint8Array.from(throws);
}

// --- From the command line -------------------------------------------------------------------------------------------

async function main([what, file]) {
  const { readFileSync } = await import("node:fs");
  const { createHash, createHmac } = await import("node:crypto");
  useHashes({
    sha256: async (bytes) => createHash("sha256").update(bytes).digest(),
    hmac: async (key, bytes) => createHmac("sha256", key).update(bytes).digest(),
  });
  if (what === "throws" || what === "throws1") {
    const many = { table: "vectors", rolls: ROLLS_MAX };
    process.stdout.write(await manyThrows(many, Number(file), what === "throws" ? 2 : 1));
    return 0;
  }
  if (what !== "export" && what !== "vectors") {
    console.error("usage: node dice.mjs export FILE | vectors FILE | throws EPOCHS | throws1 EPOCHS");
    return 2;
  }
  const text = readFileSync(file === "-" ? 0 : file, "utf8");
  const found = what === "export" ? await checkExport(text) : await checkVectors(JSON.parse(text));
  console.log(JSON.stringify(found));
  const checked = what === "export" ? found.counts.rolls - found.counts.unchecked : found.compared;
  return (found.faults ?? found.wrong).length || checked <= 0 ? 1 : 0;
}

if (globalThis.process?.argv?.[1] && import.meta.url === (await import("node:url")).pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`dice.mjs: ${error.message}`);
    process.exitCode = 2;
  }
}
