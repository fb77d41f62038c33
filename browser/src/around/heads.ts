/** What the house signed of a table, checked here: that its chain was not cut off or written anew. */

import type { Shape } from "../ask";
import { isSignature } from "./hashes";
import type { Link } from "./proof";

export type Head = Shape<"SignedHeadView">;

export interface Signed {
  heads: number;
  /** By which the house is known: the key that the table was opened to be signed with, or the one that signed it. */
  key: string;
  last: Head | undefined;
  faults: string[];
}

const TAG = "passline/head/1\n";

/** What the house signed and showed to this device's hand at a table, as a file for `passline verify --head`; "" where nothing. */
export function savedHeads(stream: string): string {
  const { heads = [], entries = [] } = JSON.parse(localStorage.getItem(`passline.hand/${stream}`) ?? "{}") as {
    heads?: unknown[];
    entries?: unknown[];
  };
  if (!heads.length) return "";
  return `data:application/json,${encodeURIComponent(JSON.stringify({ heads: [...heads, ...entries] }))}`;
}

/** Whether the signature of a head is that of the key it names. */
export const isSigned = ({ hash, sequence, table, time, key, signature }: Head): boolean =>
  isSignature(signature, TAG + JSON.stringify({ hash, sequence, table, time }), key);

/** Whether the key that signed a table before says that another takes its place, in the entry that names it. */
export const isAssent = (
  { previous, table, body }: { previous: string; table: string; body: { signer?: string; assent?: string } },
  key: string,
): boolean =>
  isSignature(
    body.assent ?? "",
    `passline/signer/1\n${JSON.stringify({ previous, signer: body.signer ?? null, table })}`,
    key,
  );

/** By entry from which on: the key that signs a table, as it says itself when it is opened, and its heirs by assent. */
function signersOf(links: Link[]): [number, string][] {
  const signers: [number, string][] = [];
  for (const { line, sequence } of links.filter((link, at) => !at || link.line?.includes('"kind":"signer_named"'))) {
    const entry = JSON.parse(line ?? '{"body":{}}') as Parameters<typeof isAssent>[0];
    const before = signers.at(-1)?.[1];
    if (entry.body.signer && (!before || isAssent(entry, before))) signers.push([sequence, entry.body.signer]);
  }
  return signers;
}

/** Every head of a table against its chain. */
export function checkHeads(heads: Head[], links: Link[]): Signed {
  const signers = signersOf(links);
  const signer = signers[0]?.[1] ?? "";
  const signed: Signed = {
    heads: heads.length,
    key: signer || (heads[0]?.key ?? ""),
    last: heads.at(-1),
    faults: [],
  };
  const hashes = new Map(links.map((link) => [link.sequence, link.hash]));
  const end = links.at(-1)?.sequence ?? 0;
  for (const head of heads) {
    if (!isSigned(head))
      signed.faults.push(`#${head.sequence}: Ed25519 ${head.signature.slice(0, 12)}… ≠ ${head.key.slice(0, 12)}…`);
    const due = signers.findLast(([since]) => since <= head.sequence)?.[1] ?? signed.key;
    if (head.key !== due) signed.faults.push(`#${head.sequence}: ${head.key.slice(0, 12)}… ≠ ${due.slice(0, 12)}…`);
    if (head.sequence > end) signed.faults.push(`#${end}: … #${head.sequence}`);
    else if (hashes.get(head.sequence) !== head.hash)
      signed.faults.push(
        `#${head.sequence}: ${(hashes.get(head.sequence) ?? "–").slice(0, 12)}… ≠ ${head.hash.slice(0, 12)}…`,
      );
  }
  // A table signs its head with the first entry that is somebody's, not the house's.
  const played = links.some(
    ({ line }) =>
      line &&
      !["table_opened", "seed_committed", "chain_committed"].includes((JSON.parse(line) as { kind: string }).kind),
  );
  if (signer && played && !heads.length) signed.faults.push(`${signer.slice(0, 12)}…: 0`);
  return signed;
}
