/** The checker of the dice that Passline ships, which is JavaScript so that anybody can read and run it. */
declare module "*/verify/dice.mjs" {
  type Bytes = Uint8Array;
  export function useHashes(others: {
    sha256: (bytes: Bytes) => Promise<Bytes>;
    hmac: (key: Bytes, bytes: Bytes) => Promise<Bytes>;
  }): void;
  export function fromHex(text: string): Uint8Array<ArrayBuffer>;
  export function toHex(bytes: Bytes): string;
  export function houseCommitment(table: string, epoch: number, seed: Bytes): Promise<Bytes>;
  export function playerCommitment(
    table: string,
    epoch: number,
    player: string,
    house: Bytes,
    seed: Bytes,
  ): Promise<Bytes>;
  export function mix(table: string, epoch: number, house: Bytes, seeds: [string, Bytes][]): Promise<Bytes>;
  export function rolls(
    seed: Bytes,
    table: string,
    epoch: number,
    mixed: Bytes,
    first: number,
    last: number,
  ): Promise<number[]>;
  export function faces(value: number): string;
  export function linkBefore(table: string, epoch: number, roll: number, link: Bytes): Promise<Bytes>;
  export function valueBefore(table: string, person: string, hand: number, index: number, value: Bytes): Promise<Bytes>;
  export function offOf(table: string, person: string, hand: number, w: Bytes): Promise<Bytes>;
  export function chainOf(last: Bytes, before: (at: number, link: Bytes) => Promise<Bytes>): Promise<Bytes[]>;
  export function dealt(
    link: Bytes,
    table: string,
    epoch: number,
    roll: number,
    values: [string, Bytes][],
  ): Promise<number>;
  export function checkExport(text: string): Promise<{
    counts: Record<string, number>;
    faults: { table: string; sequence: number; what: string }[];
    voids: { table: string; sequence: number; silent: string[]; dice: string | null }[];
    silent: Record<string, number>;
    unlisted: Record<string, number>;
    sevens: { voids: number; sevens: number; chance: number };
  }>;
  export function checkVectors(data: unknown): Promise<{ compared: number; wrong: string[] }>;
}
