/** The checker of the dice that Passline ships, which is JavaScript so that anybody can read and run it. */
declare module "*/verify/dice.mjs" {
  export function fromHex(text: string): Uint8Array<ArrayBuffer>;
  export function toHex(bytes: Uint8Array): string;
  export function houseCommitment(table: string, epoch: number, seed: Uint8Array): Promise<Uint8Array>;
  export function playerCommitment(
    table: string,
    epoch: number,
    player: string,
    house: Uint8Array,
    seed: Uint8Array,
  ): Promise<Uint8Array>;
  export function mix(
    table: string,
    epoch: number,
    house: Uint8Array,
    seeds: [string, Uint8Array][],
  ): Promise<Uint8Array>;
  export function rolls(
    seed: Uint8Array,
    table: string,
    epoch: number,
    mixed: Uint8Array,
    first: number,
    last: number,
  ): Promise<number[]>;
  export function faces(value: number): string;
  export function checkExport(
    text: string,
  ): Promise<{ counts: Record<string, number>; faults: { table: string; sequence: number; what: string }[] }>;
  export function checkVectors(data: unknown): Promise<{ compared: number; wrong: string[] }>;
}
