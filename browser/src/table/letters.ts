/** What is printed on a felt: how wide letters are, and what they cover. */

import type { Rect } from "./room";

export interface Label {
  text: string;
  x: number;
  y: number;
  size: number;
  turn?: number;
  red?: boolean;
  anchor?: "start" | "middle" | "end";
}

/** The size at which a text fits a width, by the look of the slab letters. */
export function fit(text: string, width: number, most: number): number {
  return Math.min(most, width / Math.max(1, wide(text)));
}

/** How wide a text is, in letters of its size. */
export function wide(text: string): number {
  let sum = 0;
  for (const letter of text)
    sum += letter === " " ? 0.34 : /[.,:;'’|il()]/.test(letter) ? 0.36 : /[A-Z]/.test(letter) ? 0.86 : 0.66;
  return sum;
}

export function upper(text: string): string {
  return text.toLocaleUpperCase("en");
}

/** A text on one line, or on two where one would be too small to read. */
export function folded(text: string, width: number, least = 12): string[] {
  if (fit(text, width, 16) >= least || !text.includes(" ")) return [text];
  const spaces = [...text.matchAll(/ /g)].map((found) => found.index);
  const at = spaces.reduce((best, each) =>
    Math.abs(each - text.length / 2) < Math.abs(best - text.length / 2) ? each : best,
  );
  return [text.slice(0, at), text.slice(at + 1)];
}

/** What a text covers. */
export function boxOf(text: Label): Rect {
  const [w, h] = [wide(text.text) * text.size, text.size * 0.84];
  if (text.turn) return { x: text.x - h / 2, y: text.y - w / 2, w: h, h: w };
  return {
    x: text.anchor === "start" ? text.x : text.anchor === "end" ? text.x - w : text.x - w / 2,
    y: text.y - h / 2,
    w,
    h,
  };
}
