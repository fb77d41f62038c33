import type { Plan } from "./felt";

/** The keys of the table, those of the terminal's, and the button that each presses. */
export const BUTTONS = {
  o: "odds",
  u: "undo",
  z: "undo",
  U: "redo",
  r: "repeat",
  D: "double",
  x: "press",
  t: "clear",
} as const;

const PLACES: Record<string, Plan["lines"][number]["where"]> = {
  p: "line",
  P: "dont line",
  c: "come",
  C: "dont come",
  f: "field",
};

/** A letter as it is pressed, whatever Caps Lock says. */
export const letterOf = ({ key, shiftKey }: KeyboardEvent): string =>
  /^[a-z]$/i.test(key) ? (shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;

/** The place that a key bets on: a strip by its letter, a number's box by its digit with Shift, 0 for the ten. */
export function placeOf(plan: Plan, event: KeyboardEvent): string | undefined {
  const where = PLACES[letterOf(event)];
  if (where) return plan.lines.find((strip) => strip.where === where)?.spots[0]?.key;
  const digit = event.shiftKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
  if (!digit) return undefined;
  const row = plan.rows.find((each) => each.kind === "number" && each.side === "do" && !each.on_request);
  return row?.spots[plan.points.indexOf(Number(digit) || 10)]?.key;
}

/** The chip that a key chooses: by where its digit lies, for not every keyboard types digits without Shift. */
export function chipOf({ code, key, shiftKey }: KeyboardEvent): number {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? (/^[1-9]$/.test(key) ? key : "");
  return shiftKey && /^(?:Digit[4-9])?$/.test(code) ? 0 : Number(digit);
}

/** Every key as the sheet of keys tells them: how it is written (or the word for that), and the word of the catalogue that says what it does. */
export const SHEET: readonly (readonly [keys: readonly string[], word: string])[] = [
  [["keys-space", "G"], "keys-roll"],
  [["1", "…", "9"], "keys-chip"],
  [["←", "↑", "→", "↓"], "keys-move"],
  [["Enter"], "keys-bet"],
  [["P", "⇧ P", "C", "⇧ C", "F"], "keys-strips"],
  [["⇧ 4", "…", "⇧ 0"], "keys-numbers"],
  [["/", ":"], "keys-talk"],
  [["Backspace"], "keys-take"],
  [["O"], "keys-odds"],
  [["U", "Z"], "table-undo"],
  [["⇧ U"], "table-redo"],
  [["R"], "keys-repeat"],
  [["X"], "keys-press"],
  [["⇧ D"], "keys-double"],
  [["T"], "keys-clear"],
  [["A", "D"], "keys-dice"],
  [["I"], "keys-tell"],
  [["Y"], "why-title"],
  [["E"], "table-look"],
  [["L"], "table-leave"],
  [["?"], "keys-title"],
  [["Esc"], "table-close"],
];
