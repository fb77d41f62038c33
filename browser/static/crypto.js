/** What `passline/journal/crypto.py` asks of a browser, by the audited noble libraries: Python has no cryptography here. */

import { gcm } from "@noble/ciphers/aes.js";
import * as ed from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

ed.hashes.sha512 = sha512;

globalThis.passlineCrypto = {
  publicKey: (key) => ed.getPublicKey(key),
  sign: (key, message) => ed.sign(message, key),
  encrypt: (key, nonce, text, bound) => gcm(key, nonce, bound).encrypt(text),
  decrypt: (key, nonce, sealed, bound) => {
    try {
      return gcm(key, nonce, bound).decrypt(sealed);
    } catch {
      return null;
    }
  },
};
