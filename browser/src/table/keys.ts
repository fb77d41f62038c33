/** The keys of the table, and what each wishes for. */
export const WISHES = { o: "odds", u: "undo", z: "undo", y: "redo", r: "repeat", d: "double", p: "press", c: "clear" } as const;

/** Every key as the sheet of keys tells them: how it is written (or the word for that), and the word of the catalogue that says what it does. */
export const SHEET: readonly (readonly [keys: readonly string[], word: string])[] = [
  [["keys-space"], "keys-roll"],
  [["1", "…", "9"], "keys-chip"],
  [["←", "↑", "→", "↓"], "keys-move"],
  [["Enter"], "keys-bet"],
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
