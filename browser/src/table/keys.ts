import type { Plan } from "./felt";

/** The keys of the table, and the button that each presses. */
export const BUTTONS = {
  o: "odds",
  u: "undo",
  z: "undo",
  y: "redo",
  r: "repeat",
  d: "double",
  p: "press",
  c: "clear",
} as const;

const PLACES: Record<string, Plan["lines"][number]["where"]> = { l: "line", n: "dont line", e: "come", f: "field" };

/** The place that a key bets on: a strip by its letter, a number's box by its digit with Shift, 0 for the ten. */
export function placeOf(plan: Plan, { key, code, shiftKey }: KeyboardEvent): string | undefined {
  const where = PLACES[key.toLowerCase()];
  if (where) return plan.lines.find((strip) => strip.where === where)?.spots[0]?.key;
  const digit = shiftKey ? /^Digit(\d)$/.exec(code)?.[1] : undefined;
  if (!digit) return undefined;
  const row = plan.rows.find((each) => each.kind === "number" && each.side === "do" && !each.asked);
  return row?.spots[plan.points.indexOf(Number(digit) || 10)]?.key;
}

/** Every key as the sheet of keys tells them: how it is written (or the word for that), and the word of the catalogue that says what it does. */
export const SHEET: readonly (readonly [keys: readonly string[], word: string])[] = [
  [["keys-space", "T"], "keys-roll"],
  [["1", "…", "9"], "keys-chip"],
  [["←", "↑", "→", "↓"], "keys-move"],
  [["Enter"], "keys-bet"],
  [["L", "N", "E", "F"], "keys-strips"],
  [["⇧ 4", "…", "⇧ 0"], "keys-numbers"],
  [["/"], "keys-talk"],
  [["Backspace"], "keys-take"],
  [["O"], "keys-odds"],
  [["U", "Z"], "table-undo"],
  [["Y"], "table-redo"],
  [["R"], "keys-repeat"],
  [["D"], "keys-double"],
  [["P"], "keys-press"],
  [["C"], "keys-clear"],
  [["A"], "table-look"],
  [["?"], "keys-title"],
  [["Esc"], "table-close"],
];
