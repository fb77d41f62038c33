/** What the house signed of a table, checked here with the browser's own Ed25519: that its chain was not cut off or written anew. */

import { fromHex } from "../../../src/passline/verify/dice.mjs";
import type { Shape } from "../ask";
import type { Link } from "./proof";

export type Head = Shape<"SignedHeadView">;

export interface Signed {
  heads: number;
  /** By which the house is known: the key that the table was opened to be signed with, or the one that signed it. */
  key: string;
  last: Head | undefined;
  /** Whether this browser knows Ed25519; where it does not, the signatures are not checked. */
  able: boolean;
  faults: string[];
}

const TAG = "passline/head/1\n";

/** Whether the signature of a head is that of the key it names; undefined where the browser knows no Ed25519. */
async function isSigned({ hash, sequence, table, time, key, signature }: Head): Promise<boolean | undefined> {
  const said = new TextEncoder().encode(TAG + JSON.stringify({ hash, sequence, table, time }));
  try {
    const known = await crypto.subtle.importKey("raw", fromHex(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", known, fromHex(signature), said);
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? undefined : false;
  }
}

/** Every head of a table against its chain. */
export async function checkHeads(heads: Head[], links: Link[]): Promise<Signed> {
  const signer = links[0]?.line ? ((JSON.parse(links[0].line) as { body: { signer?: string } }).body.signer ?? "") : "";
  const signed: Signed = {
    heads: heads.length,
    key: signer || (heads[0]?.key ?? ""),
    last: heads.at(-1),
    able: true,
    faults: [],
  };
  const hashes = new Map(links.map((link) => [link.sequence, link.hash]));
  const end = links.at(-1)?.sequence ?? 0;
  for (const head of heads) {
    const right = await isSigned(head);
    if (right === undefined) signed.able = false;
    else if (!right)
      signed.faults.push(`#${head.sequence}: Ed25519 ${head.signature.slice(0, 12)}… ≠ ${head.key.slice(0, 12)}…`);
    if (head.key !== signed.key)
      signed.faults.push(`#${head.sequence}: ${head.key.slice(0, 12)}… ≠ ${signed.key.slice(0, 12)}…`);
    if (head.sequence > end) signed.faults.push(`#${end}: … #${head.sequence}`);
    else if (hashes.get(head.sequence) !== head.hash)
      signed.faults.push(
        `#${head.sequence}: ${(hashes.get(head.sequence) ?? "–").slice(0, 12)}… ≠ ${head.hash.slice(0, 12)}…`,
      );
  }
  // A table signs its head with the first entry that is somebody's, not the house's.
  const played = links.some(
    ({ line }) => line && !["table_opened", "seed_committed"].includes((JSON.parse(line) as { kind: string }).kind),
  );
  if (signer && played && !heads.length) signed.faults.push(`${signer.slice(0, 12)}…: 0`);
  return signed;
}
