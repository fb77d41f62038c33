// The dice of a live table, worked out again from docs/dice.md and nothing else: no library, in a browser or in Node.
//
//   node dice.mjs export FILE     every roll of an exported journal; 0 when all are right, 1 when one is not, 2 when it cannot be read
//   node dice.mjs vectors FILE    the vectors of docs/dice-vectors.json
//   node dice.mjs throws EPOCHS   the first rolls of its `many`, a byte each, to standard output
//
// In a browser: import { checkExport } from "./dice.mjs".

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

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

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

/** The rolls of an epoch from `first` to `last`, each as a value 0 to 35. */
export async function rolls(seed, table, epoch, mixed, first, last) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const one = async (number) => {
    for (let block = 0; ; block += 1) {
      const text = message("passline/dice/1/roll", table, epoch, number, block, mixed);
      const value = picked(new Uint8Array(await crypto.subtle.sign("HMAC", key, text)));
      if (value !== null) return value;
    }
  };
  return Promise.all(Array.from({ length: last - first + 1 }, (_, index) => one(first + index)));
}

// --- An exported journal ---------------------------------------------------------------------------------------------

class Wrong extends Error {}

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

/** One table: its entries in order, and what was counted. */
class Table {
  constructor(stream, counts) {
    Object.assign(this, { stream, counts, epochs: new Map(), barred: new Set(), announced: null });
  }

  epoch(number) {
    const found = this.epochs.get(number);
    if (!found) throw new Wrong(`epoch ${number} was never committed to`);
    return found;
  }

  async entry(kind, body) {
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

/** Every roll of an export: { counts, faults }, a fault for each entry that is wrong. */
export async function checkExport(text) {
  const counts = { tables: 0, epochs: 0, seeds: 0, rolls: 0, void: 0, unchecked: 0 };
  const [tables, faults] = [new Map(), []];
  for (const line of text.split("\n").filter(Boolean)) {
    const { kind, body, table, sequence } = JSON.parse(line);
    if (kind === "table_opened" && body.dice === "fair") {
      tables.set(table, new Table(body.stream, counts));
      counts.tables += 1;
    }
    try {
      await tables.get(table)?.entry(kind, body);
    } catch (error) {
      faults.push({ table, sequence, what: error.message });
    }
  }
  for (const table of tables.values()) table.finish();
  return { counts, faults };
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

/** The rolls of the first epochs of `many`, a byte each. */
export async function manyThrows(many, epochs) {
  const throws = [];
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    const seed = await sha256(message("passline/dice/1/vectors", epoch));
    const mixed = await mix(many.table, epoch, await houseCommitment(many.table, epoch, seed), []);
    throws.push(...(await rolls(seed, many.table, epoch, mixed, 1, many.rolls)));
  }
  return Uint8Array.from(throws);
}

// --- From the command line -------------------------------------------------------------------------------------------

async function main([what, file]) {
  const { readFileSync } = await import("node:fs");
  if (what === "throws") {
    process.stdout.write(await manyThrows({ table: "vectors", rolls: ROLLS_MAX }, Number(file)));
    return 0;
  }
  if (what !== "export" && what !== "vectors") {
    console.error("usage: node dice.mjs export FILE | vectors FILE | throws EPOCHS");
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
