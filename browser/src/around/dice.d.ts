/** The checker of the dice that Passline ships, which is JavaScript so that anybody can read and run it. */
declare module "*/verify/dice.mjs" {
  type Bytes = Uint8Array;
  export function useHashes(others: {
    sha256: (bytes: Bytes) => Promise<Bytes>;
    hmac: (key: Bytes, bytes: Bytes) => Promise<Bytes>;
  }): void;
  export function fromHex(text: string): Uint8Array<ArrayBuffer>;
  export function toHex(bytes: Bytes): string;
  export function valueBefore(table: string, person: string, hand: number, index: number, value: Bytes): Promise<Bytes>;
  export function offOf(table: string, person: string, hand: number, w: Bytes): Promise<Bytes>;
  export function chainOf(last: Bytes, before: (at: number, link: Bytes) => Promise<Bytes>): Promise<Bytes[]>;
  export interface Found {
    counts: Record<string, number>;
    faults: { table: string; sequence: number; what: string }[];
    voids: { table: string; sequence: number; silent: string[]; dice: string | null }[];
    silent: Record<string, number>;
    unlisted: Record<string, number>;
  }
  export class Journal {
    found: Found;
    entry(entry: object): Promise<string[]>;
    saved(table: string): string;
    goOn(table: string, text: string): void;
  }
  export function checkExport(
    text: string,
  ): Promise<Found & { sevens: { voids: number; sevens: number; chance: number } }>;
  export function checkVectors(data: unknown): Promise<{ compared: number; wrong: string[] }>;
}
