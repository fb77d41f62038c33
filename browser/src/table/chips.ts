/** Chips as they look: which ones an amount is, their colours and the patterns on their edge. */

export interface Look {
  fill: string;
  edge: string;
  ink: string;
  /** The dashes of the edge, of a circle's 100: a pattern of its own for each value, so that no colour is needed. */
  dashes: string;
}

const LOOKS: [number, Look][] = [
  [1, { fill: "#f6f2e6", edge: "#5b6470", ink: "#1b1f24", dashes: "6 19" }],
  [5, { fill: "#b3202a", edge: "#fff3e2", ink: "#fff", dashes: "8.3 8.3" }],
  [25, { fill: "#0f6b3c", edge: "#f3e9cf", ink: "#fff", dashes: "4.2 8.3" }],
  [100, { fill: "#17191c", edge: "#e9dfc6", ink: "#fff", dashes: "3 3 3 16" }],
  [500, { fill: "#5b2a86", edge: "#ffd97a", ink: "#fff", dashes: "14 6 2 3" }],
  [1000, { fill: "#c98a12", edge: "#2b1c00", ink: "#1d1300", dashes: "2 4.25" }],
  [5000, { fill: "#7a4a2a", edge: "#ffe9c9", ink: "#fff", dashes: "20 5" }],
];

/** The look of a chip of so much. */
export function lookOf(value: number): Look {
  let found = LOOKS[0] as [number, Look];
  for (const look of LOOKS) if (look[0] <= value) found = look;
  return found[1];
}

const SHOWN_MAX = 5;

/** The chips of a stack, lowest first: the fewest that make it, and no more than five of them drawn. */
export function stackOf(amount: number, float: readonly number[]): number[] {
  const chips: number[] = [];
  let left = amount;
  for (const chip of [...float].sort((a, b) => b - a)) {
    while (left >= chip && chips.length < SHOWN_MAX) {
      chips.push(chip);
      left -= chip;
    }
  }
  return chips.length ? chips : [float[0] ?? 100];
}

/** A colour for each seat, apart for most eyes; the number beside it says the same. */
export const SEATS = ["#f0c25a", "#6bb6ff", "#ff9d6b", "#c9a1ff", "#8fe0a8", "#ff8fb8", "#d8d8d8", "#7fe3e0"];

export function seatColour(seat: number): string {
  return SEATS[(seat - 1) % SEATS.length] as string;
}
