/** Room for the others' chips in a place of the felt: beside its print, the puck and one's own chips, never on them. */

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Where the others' chips lie: eight places in a row, one for each seat, or one stack for all. */
export interface Others {
  x: number;
  y: number;
  r: number;
  /** From one seat's place to the next; 0 where all are gathered. */
  step: number;
}

const SEATS = 8;
const GAP = 1.5;
const ALONE = [13, 11];
const GATHERED = [16, 14, 12, 10, 8.5, 7];

/** The free stretches for the middles of chips at a height. */
function free(area: Rect, taken: Rect[], r: number, y: number): [number, number][] {
  let found: [number, number][] = [[area.x + r + GAP, area.x + area.w - r - GAP]];
  for (const each of taken) {
    if (each.y - r - GAP >= y || each.y + each.h + r + GAP <= y) continue;
    const [low, high] = [each.x - r - GAP, each.x + each.w + r + GAP];
    found = found
      .flatMap(([from, to]): [number, number][] =>
        high <= from || low >= to
          ? [[from, to]]
          : [
              [from, low],
              [high, to],
            ],
      )
      .filter(([from, to]) => to >= from);
  }
  return found;
}

interface Stretch {
  from: number;
  to: number;
  y: number;
}

/** The longest free stretch for chips of a size, midway between the lowest and the highest that are as long. */
function longest(area: Rect, taken: Rect[], r: number): Stretch | undefined {
  const all: Stretch[] = [];
  for (let y = area.y + r + GAP; y <= area.y + area.h - r - GAP; y += 2)
    all.push(...free(area, taken, r, y).map(([from, to]) => ({ from, to, y })));
  const most = Math.max(...all.map(({ from, to }) => to - from));
  const first = all.find(({ from, to }) => to - from > most - 1);
  const same = all.filter(({ from, to }) => from === first?.from && to === first.to);
  return same[Math.floor(same.length / 2)];
}

/** Find the room: for every seat where there is enough of it, else for one stack, as large as fits, away from one's own chips. */
export function roomFor(area: Rect, own: number, taken: Rect[]): Others {
  for (const r of ALONE) {
    const found = longest(area, taken, r);
    const step = found ? Math.min(2.6 * r, (found.to - found.from) / (SEATS - 1)) : 0;
    if (found && step >= 2 * r + GAP) return { x: found.to - step * (SEATS - 1), y: found.y, r, step };
  }
  for (const r of GATHERED) {
    const found = longest(area, taken, r);
    if (found)
      return {
        x: own > found.to ? Math.min(found.to, found.from + r) : Math.max(found.from, found.to - r),
        y: found.y,
        r,
        step: 0,
      };
  }
  return { x: area.x + area.w - 8, y: area.y + 8, r: 7, step: 0 };
}
