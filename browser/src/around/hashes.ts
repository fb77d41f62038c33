/** SHA-256, HMAC and Ed25519 for pages that came over plain HTTP, to which browsers give no WebCrypto. */

import { hashes, verify } from "@noble/ed25519";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { fromHex, toHex, useHashes } from "../../../src/passline/verify/dice.mjs";

hashes.sha512 = sha512;
useHashes({
  sha256: (bytes) => Promise.resolve(sha256(bytes)),
  hmac: (key, bytes) => Promise.resolve(hmac(sha256, key, bytes)),
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const digest = (text: string): string => toHex(sha256(bytesOf(text)));

/** Whether a signature of a text is that of a key; all in hexadecimal. A key of small order proves nothing and is none. */
export function isSignature(signature: string, text: string, key: string): boolean {
  try {
    return verify(fromHex(signature), bytesOf(text), fromHex(key), { zip215: false });
  } catch {
    return false;
  }
}
