/** The proof of a table, worked out here from the chain of its entries alone. */

import { checkExport } from "../../../src/passline/verify/dice.mjs";
import { get, type Shape } from "../ask";
import { digest } from "./hashes";
import { checkHeads, type Head, type Signed } from "./heads";

export type Link = Shape<"Link">;

/** What was found: right, wrong, or not to be checked yet. */
export type Found = "right" | "wrong" | "sealed";

interface Entry {
  kind: string;
  sequence: number;
  body: { dice?: string & number[]; stream?: string; epoch: number; roll: number };
}

export interface Checked {
  /** Entries whose hash is their own and that follow the one before; what others were refused shows only its hash. */
  chain: { entries: number; hidden: number; head: string; faults: string[] };
  signed: Signed;
  table: string;
  /** What its first entry says: its name in every hash, and how the dice are made. */
  stream: string;
  dice: string;
  /** By epoch: number and dice of each roll. */
  epochs: Map<number, [number, string, Found][]>;
  /** By person: how often a value did not arrive. */
  silent: Record<string, number>;
  /** What the checker counted: rolls by the house alone, void ones, restores, stops, bets given back. */
  counts: Record<string, number>;
  /** Whether the table follows an older page of docs/dice.md, as a word of the catalogue. */
  older: "" | "fair-first-protocol";
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

/** Everything about a table. */
export async function check(table: string, { links, heads }: Kept): Promise<Checked> {
  const lines = links.flatMap((link) => (link.line === null ? [] : [link.line]));
  const dice = await checkExport(lines.join("\n"));
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  const faults = dice.faults.map(({ sequence, what }) => `#${sequence}: ${what}`);
  const opening = entries.find(({ kind }) => kind === "table_opened")?.body;
  if (!opening) faults.push("#1: …");
  const wrong = new Set(dice.faults.map(({ sequence }) => sequence));
  // By protocol 1 a roll is checked when the seed of its epoch is shown.
  const shown = entries.filter(({ kind }) => kind === "seed_revealed");
  const sealed = dice.counts.first_protocol ? new Set(entries.map(({ body }) => body.epoch)) : new Set<number>();
  for (const { body } of shown) sealed.delete(body.epoch);
  const forged = new Set(shown.filter(({ sequence }) => wrong.has(sequence)).map(({ body }) => body.epoch));
  const epochs: Checked["epochs"] = new Map();
  for (const { kind, sequence, body } of entries) {
    if ((kind !== "rolled" && kind !== "roll_voided") || opening?.dice !== "fair") continue;
    const isWrong = wrong.has(sequence) || forged.has(body.epoch);
    const found: Found = isWrong ? "wrong" : sealed.has(body.epoch) ? "sealed" : "right";
    epochs.set(body.epoch, [...(epochs.get(body.epoch) ?? []), [body.roll, body.dice?.join("-") ?? "–", found]]);
  }
  return {
    table,
    stream: opening?.stream ?? "",
    dice: opening?.dice ?? "fair",
    chain: checkChain(links),
    signed: checkHeads(heads, links),
    epochs,
    silent: dice.silent,
    counts: dice.counts,
    older: dice.counts.first_protocol ? "fair-first-protocol" : "",
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

/** Whether all of it is right, as far as it can be checked now. */
export const isRight = ({ chain, signed, faults }: Checked): boolean =>
  !chain.faults.length && !signed.faults.length && !faults.length;
