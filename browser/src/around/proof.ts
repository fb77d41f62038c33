/** The proof of a table, worked out here: the chain of its entries, its commitments, seeds, hands and rolls. */

import {
  checkExport,
  faces,
  fromHex,
  houseCommitment,
  mix,
  playerCommitment,
  rolls,
  toHex,
} from "../../../src/passline/verify/dice.mjs";
import { get, type Shape } from "../ask";
import { digest } from "./hashes";
import { checkHeads, type Head, type Signed } from "./heads";

export type Link = Shape<"Link">;
export type Fairness = Shape<"FairnessView">;
type Epoch = Shape<"EpochView">;

/** What was found: right, wrong, or not to be checked yet. */
export type Found = "right" | "wrong" | "sealed";

export interface Checked {
  /** Entries whose hash is their own and that follow the one before; what others were refused shows only its hash. */
  chain: { entries: number; hidden: number; head: string; faults: string[] };
  signed: Signed;
  epochs: {
    epoch: number;
    commitment: Found;
    players: [string, Found][];
    mix: Found;
    rolls: [number, string, Found][];
  }[];
  /** By person: how often a value did not arrive; and how many rolls the house made alone. */
  silent: Record<string, number>;
  alone: number;
  faults: string[];
}

const TAG = "passline/entry/1\n";
const HASH = ',"hash":"';
const HASH_CHARACTERS = 65;

/** The hash of an entry as it is kept: of its line without its hash. */
export function hashOf(line: string): string {
  const at = line.lastIndexOf(HASH);
  return digest(TAG + line.slice(0, at) + line.slice(at + HASH.length + HASH_CHARACTERS));
}

/** Entries of a table, and what the house signed of them. */
export interface Kept {
  links: Link[];
  heads: Head[];
}

/** Every entry of a table, page by page. */
export async function chainOf(table: string, after = 0, upto = Infinity): Promise<Kept> {
  const kept: Kept = { links: [], heads: [] };
  for (;;) {
    const told = await get("/tables/{table}/chain", { table, after: kept.links.at(-1)?.sequence ?? after });
    kept.links.push(...told.links.filter((link) => link.sequence <= upto));
    kept.heads.push(...told.heads.filter((head) => head.sequence <= upto));
    if (!told.links.length || (kept.links.at(-1)?.sequence ?? 0) >= Math.min(told.last, upto)) return kept;
  }
}

/** Whether each entry is what its hash says and follows the one before. */
export function checkChain(links: Link[], after = "0".repeat(64)): Checked["chain"] {
  const chain: Checked["chain"] = { entries: links.length, hidden: 0, head: after, faults: [] };
  let previous = after;
  for (const link of links) {
    if (previous && link.previous !== previous)
      chain.faults.push(`#${link.sequence}: ${link.previous.slice(0, 12)}… ≠ ${previous.slice(0, 12)}…`);
    if (link.line === null) chain.hidden += 1;
    else {
      const [hash, said] = [hashOf(link.line), JSON.parse(link.line) as Link];
      if (
        hash !== link.hash ||
        said.hash !== hash ||
        said.previous !== link.previous ||
        said.sequence !== link.sequence
      )
        chain.faults.push(`#${link.sequence}: ${hash.slice(0, 12)}… ≠ ${link.hash.slice(0, 12)}…`);
    }
    previous = link.hash;
  }
  chain.head = previous;
  return chain;
}

const found = (right: boolean): Found => (right ? "right" : "wrong");

async function checkEpoch(stream: string, epoch: Epoch, told: Fairness["rolls"]): Promise<Checked["epochs"][number]> {
  const mine = told.filter((roll) => roll.epoch === epoch.epoch);
  const house = fromHex(epoch.commitment);
  const players: [string, Found][] = [];
  for (const [player, { commitment, seed }] of Object.entries(epoch.players)) {
    players.push([
      player,
      seed === null
        ? "sealed"
        : found(toHex(await playerCommitment(stream, epoch.epoch, player, house, fromHex(seed))) === commitment),
    ]);
  }
  const seeds = Object.entries(epoch.players).flatMap(([player, { seed }]) =>
    seed === null ? [] : [[player, fromHex(seed)] as [string, Uint8Array]],
  );
  const mixed =
    epoch.mix === null ? "sealed" : found(toHex(await mix(stream, epoch.epoch, house, seeds)) === epoch.mix);
  const shown = (roll: (typeof mine)[number]): string => roll.dice?.join("-") ?? "–";
  if (epoch.seed === null || epoch.mix === null)
    return {
      epoch: epoch.epoch,
      commitment: epoch.seed === null ? "sealed" : await promised(),
      players,
      mix: mixed,
      rolls: mine.map((roll) => [roll.roll, shown(roll), "sealed"]),
    };
  const own = await rolls(
    fromHex(epoch.seed),
    stream,
    epoch.epoch,
    fromHex(epoch.mix),
    1,
    Math.max(...mine.map((roll) => roll.roll), 0),
  );
  return {
    epoch: epoch.epoch,
    commitment: await promised(),
    players,
    mix: mixed,
    rolls: mine.map((roll) => [
      roll.roll,
      shown(roll),
      found(roll.dice === null || shown(roll) === faces(own[roll.roll - 1] as number)),
    ]),
  };

  async function promised(): Promise<Found> {
    return found(toHex(await houseCommitment(stream, epoch.epoch, fromHex(epoch.seed as string))) === epoch.commitment);
  }
}

/** The rolls of protocol 2, each right or wrong by itself: link, values and dice stand in its own entry. */
function byEpoch(told: Fairness["rolls"], wrong: Set<number>): Checked["epochs"] {
  const numbers = [...new Set(told.map(({ epoch }) => epoch))];
  return numbers.map((epoch) => ({
    epoch,
    commitment: "right",
    players: [],
    mix: "right",
    rolls: told
      .filter((roll) => roll.epoch === epoch)
      .map((roll) => [roll.roll, roll.dice?.join("-") ?? "–", found(!wrong.has(roll.sequence))]),
  }));
}

/** Everything about a table: what it tells of its dice, and the chain of its entries, which must tell the same. */
export async function check(fairness: Fairness, { links, heads }: Kept): Promise<Checked> {
  const chain = checkChain(links);
  const lines = links.flatMap((link) => (link.line === null ? [] : [link.line]));
  const dice = await checkExport(lines.join("\n"));
  const kept = lines
    .map((line) => JSON.parse(line) as { kind: string; sequence: number; body: { dice?: number[]; epoch: number } })
    .filter(({ kind }) => kind === "rolled" || kind === "roll_voided");
  const same =
    kept.length === fairness.rolls.length &&
    fairness.rolls.every(
      (roll, at) =>
        kept[at]?.sequence === roll.sequence && String(kept[at]?.body.dice ?? "") === String(roll.dice ?? ""),
    );
  const faults = dice.faults.map(({ sequence, what }) => `#${sequence}: ${what}`);
  if (!same) faults.push("rolls ≠ entries");
  return {
    chain,
    signed: checkHeads(heads, links),
    epochs:
      fairness.protocol === 2
        ? byEpoch(fairness.rolls, new Set(dice.faults.map(({ sequence }) => sequence)))
        : await Promise.all(fairness.epochs.map((epoch) => checkEpoch(fairness.stream, epoch, fairness.rolls))),
    silent: dice.silent,
    alone: dice.counts.house_alone ?? 0,
    faults,
  };
}

/** A file that was exported: every table of it, its entries as links of their chains, and the heads at its end. */
export function exported(text: string): Map<string, Kept> {
  const tables = new Map<string, Kept>();
  const of = (table: string): Kept =>
    tables.get(table) ?? (tables.set(table, { links: [], heads: [] }).get(table) as Kept);
  for (const line of text.split("\n").filter((each) => each.startsWith("{"))) {
    const { table, sequence, hash, previous, heads } = JSON.parse(line) as Link & { table: string; heads?: Head[] };
    if (heads) for (const head of heads) of(head.table).heads.push(head);
    else if (line.includes(HASH) && previous !== undefined) of(table).links.push({ sequence, hash, previous, line });
  }
  return tables;
}

/** What a file tells of its dice, as the service would. */
export function fairnessOf(table: string, links: Link[]): Fairness {
  const told: Fairness = { table, dice: "given", stream: "", protocol: 1, epochs: [], rolls: [] };
  const epochs = new Map<number, Epoch>();
  for (const { line, sequence } of links) {
    const { kind, body } = JSON.parse(line as string) as {
      kind: string;
      body: Record<string, string> & { epoch: number; roll: number; dice?: number[] };
    };
    const epoch = epochs.get(body.epoch);
    if (kind === "table_opened")
      Object.assign(told, { dice: body.dice, stream: body.stream, protocol: Number(body.protocol ?? 1) });
    else if (kind === "seed_committed")
      epochs.set(body.epoch, {
        epoch: body.epoch,
        commitment: body.commitment as string,
        mix: null,
        seed: null,
        players: {},
      });
    else if (kind === "player_seed_committed" && epoch)
      epoch.players[body.player as string] = { commitment: body.commitment as string, seed: null };
    else if (kind === "player_seed_revealed" && epoch)
      (epoch.players[body.player as string] ??= { commitment: "", seed: null }).seed = body.seed as string;
    else if (kind === "mix_frozen" && epoch) epoch.mix = body.mix as string;
    else if (kind === "seed_revealed" && epoch) epoch.seed = body.seed as string;
    else if (kind === "rolled" || kind === "roll_voided")
      told.rolls.push({
        epoch: body.epoch ?? 0,
        roll: body.roll,
        sequence,
        dice: body.dice ?? null,
        void: (body.reason as string | undefined) ?? null,
        hands: [],
      });
  }
  told.epochs = [...epochs.values()];
  return told;
}

/** Whether all of it is right, as far as it can be checked now. */
export function isRight(checked: Checked): boolean {
  const parts = checked.epochs.flatMap((epoch) => [
    epoch.commitment,
    epoch.mix,
    ...epoch.players.map(([, each]) => each),
    ...epoch.rolls.map(([, , each]) => each),
  ]);
  return (
    !checked.chain.faults.length && !checked.signed.faults.length && !checked.faults.length && !parts.includes("wrong")
  );
}
