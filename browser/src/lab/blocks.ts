/** Blocks as the server reads and writes them; what a new one begins with. */

import type { Shape } from "../ask";

export type Block = Shape<"Block">;
export type Want = Shape<"Want">;
export type Progression = Shape<"Progression">;
export type Ends = Shape<"Ends">;
export type Blocks = Shape<"StrategyBlocks">;

/** A condition of one kind, to begin with. */
export function blank(kind: string): Block {
  switch (kind) {
    case "puck":
      return { kind, on: true };
    case "number":
      return { kind, number: "come_points", of: null, sign: "<", value: "2" };
    case "in":
      return { kind, number: "point", of: null, values: [6, 8] };
    case "happened":
      return { kind, what: "point made" };
    case "always":
      return { kind };
    default:
      return { kind, wager: "pass" };
  }
}

/** What a want asks for, a row each: the wagers that are up with their amounts, and those that come down or are called. */
export const ACTS = ["up", "down", "on", "off"] as const;
export type Act = (typeof ACTS)[number];
export interface Row {
  act: Act;
  wager: string;
  amount: string;
}

export function rowsOf(want: Want): Row[] {
  const up = Object.entries(want.up ?? {}).map(([wager, amount]): Row => ({
    act: "up",
    wager,
    amount: String(amount),
  }));
  return [
    ...up,
    ...(["down", "on", "off"] as const).flatMap((act) =>
      (want[act] ?? []).map((wager): Row => ({ act, wager, amount: "" })),
    ),
  ];
}

/** A number stays a number, so that the file says 5 and not "5". */
export function said(text: string): string | number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text.trim();
}

export function wantOf(want: Want, rows: Row[]): Want {
  const made: Want = { when: want.when };
  const up = rows.filter((row) => row.act === "up");
  if (up.length) made.up = Object.fromEntries(up.map((row) => [row.wager, said(row.amount)]));
  for (const act of ["down", "on", "off"] as const) {
    const named = rows.filter((row) => row.act === act).map((row) => row.wager);
    if (named.length) made[act] = named;
  }
  if (want.skip) made.skip = want.skip;
  return made;
}
