/** Where everything lies on the felt: the house's plan laid out as a tub layout looks. Geometry only; no rule is here. */

import type { Shape } from "../ask";
import { boxOf, fit, folded, upper, wide, type Label } from "./letters";
import { roomFor, type Others, type Rect } from "./room";

export type Plan = Shape<"Plan">;
type Printed = Shape<"Printed">;
type Row = Shape<"Row">;

export interface Words {
  bar: string;
  number: (point: number) => string;
}

/** One place on the felt that can be pointed at. */
export interface Zone {
  key: string;
  /** The odds behind a bet that stands here: pointed at once the bet is there. */
  odds?: string;
  name: string;
  /** Whether it is there only while chips lie on it, or a bet there is asked for by name: the box it lies in is another's. */
  within?: boolean;
  x: number;
  y: number;
  w: number;
  h: number;
  path?: string;
  dashed?: boolean;
  labels: Label[];
  dice?: { faces: readonly [number, number]; x: number; y: number; size: number };
  rings: { x: number; y: number; r: number }[];
  /** The numbers that a wager with memory waits for. */
  counts: { number: number; x: number; y: number; r: number }[];
  /** Where the player's own chips lie, and how large. */
  chip: { x: number; y: number; r: number };
  /** Where chips may lie, where that is not the whole of it. */
  inside?: Rect;
  others: Others;
}

export interface Drawn {
  width: number;
  height: number;
  zones: Zone[];
  /** What is printed and cannot be bet: the numbers. */
  print: Label[];
  /** Where the puck lies: on each number, and off at 0. */
  puck: Record<number, { x: number; y: number }>;
  /** The zone that every key lies in. */
  at: Map<string, Zone>;
}

interface Measure {
  width: number;
  arm: number;
  corner: number;
  off: number;
  back: number;
  asked: number;
  box: number;
  front: number;
  come: number;
  field: number;
  dont: number;
  line: number;
  odds: number;
  bonus: number;
  chip: number;
  across: number;
}

const PAD = 12;
export const PUCK = 21;
/** How far the middle of the puck lies above the box it marks: the number stays free. */
const PUCK_UP = 7;
export const WIDE: Measure = {
  width: 1200,
  arm: 84,
  corner: 64,
  off: 150,
  back: 44,
  asked: 52,
  box: 106,
  front: 64,
  come: 92,
  field: 104,
  dont: 68,
  line: 72,
  odds: 58,
  bonus: 84,
  chip: 23,
  across: 12,
};
/** A phone that lies down: lower than it is wide, and its letters large enough to be read. */
export const LYING: Measure = {
  width: 860,
  arm: 60,
  corner: 48,
  off: 112,
  back: 36,
  asked: 52,
  box: 92,
  front: 58,
  come: 70,
  field: 90,
  dont: 62,
  line: 66,
  odds: 54,
  bonus: 48,
  chip: 23,
  across: 9,
};
export const NARROW: Measure = {
  width: 600,
  arm: 46,
  corner: 40,
  off: 0,
  back: 38,
  asked: 58,
  box: 94,
  front: 60,
  come: 68,
  field: 92,
  dont: 62,
  line: 70,
  odds: 58,
  bonus: 48,
  chip: 24,
  across: 6,
};

/** Where the numbers take two rows, the rest is lower: puck, line and odds are in sight together on a phone. */
const LOWER = { front: 54, come: 52, field: 76, line: 56, odds: 46 };
const inTwo = (plan: Plan, m: Measure): boolean => m.width < 900 && plan.points.length > 6;

function zone(spot: Printed, x: number, y: number, w: number, h: number, r: number): Zone {
  return {
    key: spot.key,
    name: spot.name,
    x,
    y,
    w,
    h,
    labels: [],
    rings: [],
    counts: [],
    chip: { x: x + w / 2, y: y + h / 2, r },
    others: { x, y, r, step: 0 },
  };
}

/** What a spot pays, in short: the one price, or the best of several. */
function pays(spot: Printed): string {
  const prices = [...new Set(spot.pays.map(([, price]) => price))];
  return prices.length === 1 ? (prices[0] as string) : "";
}

/** Lay a felt out, wide or narrow; rows that only those who know them ask for are left out unless `all`. */
export function layOut(plan: Plan, measure: Measure, all: boolean, words: Words): Drawn {
  const m = inTwo(plan, measure) ? { ...measure, ...LOWER } : measure;
  const zones: Zone[] = [];
  const print: Label[] = [];
  const puck: Drawn["puck"] = {};
  const strips = Object.fromEntries(plan.lines.map((strip) => [strip.where, strip.spots]));
  const left = PAD;
  const right = m.width - PAD;
  // The puck stands on the upper edge of a box, and wants room above the first.
  let y = PAD + (plan.rows.some((row) => row.side === "dont") ? 0 : PUCK + PUCK_UP - PAD);

  y = bonus(plan, m, zones, y);

  // The don't come: beside the numbers where there is room, else above them.
  const [dontCome] = strips["dont come"] ?? [];
  const beside = m.off && dontCome ? m.off : 0;
  puck[0] = { x: left + 30, y: y + 30 };
  const top = y;
  if (dontCome && !beside) {
    zones.push(barred(dontCome, left, y, right - left, m.dont - 8, m, words, 34 + PUCK));
    puck[0] = { x: left + 34, y: y + (m.dont - 8) / 2 };
    y += m.dont - 8;
  }
  y = numbers(plan, m, zones, print, puck, { all, x: left + beside, y, right, words });
  if (dontCome && beside) {
    zones.push(tall(dontCome, left, top, beside, y - top, m, words));
    puck[0] = { x: left + 32, y: top + 32 };
  }

  const armed = Boolean(strips.line?.length);
  const inner = armed ? left + m.arm : left;
  const armTop = y;
  const [come] = strips.come ?? [];
  if (come) {
    const made = zone(come, inner, y, right - inner, m.come, m.chip);
    made.labels.push({
      text: upper(come.name),
      x: inner + (right - inner) * 0.42,
      y: y + m.come / 2,
      size: fit(come.name, (right - inner) * 0.6, m.come * 0.52),
      red: true,
    });
    made.chip.x = inner + (right - inner) * 0.8;
    zones.push(made);
    if (!dontCome) puck[0] = { x: inner + 34, y: y + m.come / 2 };
    y += m.come;
  }
  y = middle(strips, m, zones, { inner, right, y, words });
  y = line(strips.line ?? [], m, zones, { left, right, armTop, y });

  // From the line outwards, as a player comes to them: so they are read aloud, and what lies in a box is drawn after it.
  const near = (each: Zone): number => (each.path ? Infinity : each.y + each.h);
  return drawnOf(
    m.width,
    y + PAD,
    zones.toSorted((a, b) => near(b) - near(a)),
    print,
    puck,
  );
}

/** A felt whose places are all known: the others' chips go where they hide nothing. */
function drawnOf(width: number, height: number, zones: Zone[], print: Label[], puck: Drawn["puck"]): Drawn {
  const at = new Map<string, Zone>();
  const around = (x: number, y: number, r: number): Rect => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r });
  const fixed = [...print.map(boxOf), ...Object.values(puck).map(({ x, y }) => around(x, y, PUCK))];
  for (const each of zones) {
    at.set(each.key, each);
    if (each.odds) at.set(each.odds, each);
    const { chip, dice } = each;
    const own = each.odds
      ? [around(chip.x - 0.65 * chip.r, chip.y, chip.r), around(chip.x + 0.85 * chip.r, chip.y, chip.r)]
      : [around(chip.x, chip.y, chip.r)];
    const marks = [...each.rings, ...each.counts].map((mark) => around(mark.x, mark.y, mark.r));
    if (dice) marks.push({ x: dice.x, y: dice.y, w: 2 * dice.size + 4, h: dice.size });
    each.others = roomFor(each.inside ?? each, chip.x, [...fixed, ...each.labels.map(boxOf), ...marks, ...own]);
  }
  return { width, height, zones, print, puck, at };
}

const SIDE_BETS_MAX = 4;

/** The side bets that have their place on the felt itself; what is more lies in the stick's box. */
function sideBets(plan: Plan): Printed[] {
  return plan.props.flatMap((group) => group.spots.filter((spot) => spot.counts.length)).slice(0, SIDE_BETS_MAX);
}

/** The side bets with the numbers they wait for, across the top. */
function bonus(plan: Plan, m: Measure, zones: Zone[], y: number): number {
  const spots = sideBets(plan);
  if (!spots.length) return y;
  const small = m.width < 900;
  const w = (m.width - 2 * PAD) / spots.length;
  spots.forEach((spot, number) => {
    const x = PAD + number * w;
    const made = zone(spot, x, y, w, m.bonus, m.chip);
    const r = small ? 17 : 19;
    made.chip = { x: x + w - r - 6, y: y + (small ? m.bonus / 2 : r + 4), r };
    const room = w - 2 * r - (small ? 16 : 24);
    // On a phone the name alone: what has come for it is told when it is asked about.
    const lines = small ? folded(upper(spot.name), room, 15) : [upper(spot.name)];
    const size = Math.min(...lines.map((text) => fit(text, room, small ? 16 : 20)));
    lines.forEach((text, at) => {
      const height = small ? 0.5 + ((at - (lines.length - 1) / 2) * size * 1.15) / m.bonus : 0.28;
      made.labels.push({ text, x: x + (small ? 8 : 12), y: y + m.bonus * height, size, anchor: "start" });
    });
    const count = Math.min(14, (w - 24) / spot.counts.length / 2 - 1.5);
    if (!small)
      spot.counts.forEach((each, index) =>
        made.counts.push({
          number: each,
          x: x + 12 + count + index * (2 * count + 3),
          y: y + m.bonus * 0.71,
          r: count,
        }),
      );
    zones.push(made);
  });
  return y + m.bonus + 6;
}

interface Boxes {
  all: boolean;
  x: number;
  y: number;
  right: number;
  words: Words;
}

const NAMED = 15;
/** How tall a capital letter is, of its size. */
const CAPITAL = 0.72;
/** How much taller a pile is than a chip. */
const LEANS = 1.24;

/** The name of a row as its places print it: on one line with the price, or on two where it would be too small to read. */
function named(row: Row, w: number): string[] {
  return fit(row.name, w - 52, 14) > 9 ? [row.name] : folded(row.name, w, Infinity);
}

/** A place on a number with its name and price away from the number, where the puck does not lie, and chips between. */
function words(made: Zone, row: Row, printed: string[], price: string): void {
  const { x, y, w, h } = made;
  const back = row.side === "dont";
  const small = price.length > 3 ? 12 : 14;
  const size = Math.min(
    ...printed.map((text, at) => fit(text, at < printed.length - 1 ? w - 12 : w - 18 - wide(price) * small, 14)),
  );
  const first = back ? y + 9 : y + h - 9 - (printed.length - 1) * NAMED;
  printed.forEach((text, at) => made.labels.push({ text, x: x + 6, y: first + at * NAMED, size, anchor: "start" }));
  made.labels.push({
    text: price,
    x: x + w - 6,
    y: first + (printed.length - 1) * NAMED,
    size: small,
    anchor: "end",
  });
  made.chip.y = back ? y + h - made.chip.r * LEANS - 1 : y + made.chip.r * LEANS + 1;
  // In a narrow place one's own chips leave the other side to the others'.
  if (w < 120) made.chip.x = x + w - made.chip.r - 3;
}

/** Chips against a number lie beside the puck, which lies on the edge of the box before them, and as far from the price as that allows. */
function besidePuck(made: Zone): void {
  const { x, w, chip } = made;
  const most = x + w - chip.r * (made.odds ? 1.75 : 1) - 3;
  const below = made.y + made.h - PUCK_UP - chip.y;
  chip.x = made.odds ? most : Math.min(most, x + w / 2 + Math.sqrt((PUCK + chip.r) ** 2 - below ** 2));
}

/** The boxes of the numbers: against at the back, with the shooter at the front, come bets inside. */
function numbers(plan: Plan, m: Measure, zones: Zone[], print: Label[], puck: Drawn["puck"], given: Boxes): number {
  const rows = plan.rows.filter((row) => row.kind !== "odds" && (given.all || !row.on_request));
  const oddsOf = (row: Row): Row | undefined =>
    plan.rows.find((other) => other.kind === "odds" && other.side === row.side);
  const lines = inTwo(plan, m) ? 2 : 1;
  const per = Math.ceil(plan.points.length / lines);
  /** The row that a tap on a number means. */
  const placed = rows.find((row) => row.side === "do" && row.kind === "number");
  const w = (given.right - given.x) / per;
  let y = given.y;
  for (let lineAt = 0; lineAt < lines; lineAt++) {
    if (lineAt) y += PUCK + PUCK_UP - PAD; // so that the puck hides no price of the line above
    const from = lineAt * per;
    const points = plan.points.slice(from, from + per);
    for (const row of rows) {
      const inside = row.kind === "flat" && row.side === "do";
      if (inside) continue;
      const printed = row.kind === "flat" ? [] : named(row, w);
      const h =
        (row.side === "dont" ? (row.kind === "flat" ? m.back : m.asked) : m.front) +
        Math.max(0, printed.length - 1) * NAMED;
      const front = row === placed;
      const top = y;
      if (front) y = inner(y, from, points);
      points.forEach((_, index) => {
        const spot = row.spots[from + index];
        if (!spot) return;
        const x = given.x + index * w;
        const made = zone(
          spot,
          x,
          y,
          w,
          h,
          Math.min(m.chip * 0.86, row.kind === "flat" ? h * 0.44 : (h - 4 - printed.length * NAMED) / 2 / LEANS),
        );
        if (row.kind === "flat") {
          const odds = oddsOf(row)?.spots[from + index];
          if (odds) made.odds = odds.key;
        } else words(made, row, printed, pays(spot));
        if (row.side === "dont") besidePuck(made);
        if (front) {
          // The box is the place bet; its chips lie on the front edge.
          made.inside = { x, y, w, h };
          [made.y, made.h] = [top, y + h - top];
          made.labels.unshift(numbered(points[index] as number, x, top));
        }
        // Before what lies within its box, so that it is drawn under it.
        zones.splice(front ? zones.length - points.length : zones.length, 0, made);
      });
      y += h;
    }
    if (!placed) y = inner(y, from, points);
  }
  return y;

  /** The number itself, between the puck on the upper edge and the chips of a come bet. */
  function numbered(point: number, x: number, top: number): Label {
    const text = given.words.number(point);
    const room = m.box - (2 * m.chip + 6) - (PUCK - PUCK_UP);
    const word = !/\d/.test(text);
    const size = fit(text, w * 0.84, Math.min(m.box * 0.38, (room - (word ? 9 : 5)) / CAPITAL));
    return { text, x: x + w / 2, y: top + PUCK - PUCK_UP + room / 2, size, red: word };
  }

  function inner(top: number, from: number, points: number[]): number {
    const row = rows.find((each) => each.kind === "flat" && each.side === "do");
    points.forEach((point, index) => {
      const x = given.x + index * w;
      const spot = row?.spots[from + index];
      const placeable = Boolean(placed?.spots[from + index]);
      if (spot) {
        const h = placeable ? 2 * m.chip + 6 : m.box;
        const made = zone(spot, placeable ? x + 3 : x, top + m.box - h, placeable ? w - 6 : w, h, m.chip);
        made.within = placeable;
        const odds = (row && oddsOf(row))?.spots[from + index];
        if (odds) made.odds = odds.key;
        made.chip.y = top + m.box - m.chip - 2;
        if (!placeable) made.labels.push(numbered(point, x, top));
        zones.push(made);
      } else if (!placeable) print.push(numbered(point, x, top));
      puck[point] = { x: x + w / 2, y: top - PUCK_UP };
    });
    return top + m.box;
  }
}

/** A flat bet against the shooter in a strip, with the dice that stand off; its words begin after `lead`, and end before the chips. */
function barred(spot: Printed, x: number, y: number, w: number, h: number, m: Measure, words: Words, lead = 0): Zone {
  const made = zone(spot, x, y, w, h, Math.min(m.chip, h * 0.44));
  const { chip } = made;
  chip.x = w < 450 ? x + w - chip.r - 8 : x + w * 0.82;
  const text = upper(spot.bars ? `${spot.name} ${words.bar}` : spot.name);
  const room = chip.x - chip.r - 8 - x - lead;
  const die = spot.bars ? Math.min(h * 0.46, 30, room / 9) : 0;
  const beside = die ? 2 * die + 14 : 0;
  const size = fit(text, Math.min(w * 0.56, room - beside - 12), h * 0.42);
  const long = wide(text) * size;
  const from = x + lead + (room - long - beside) / 2;
  made.labels.push({ text, x: from + long / 2, y: y + h / 2, size });
  if (spot.bars) {
    const first = Math.max(1, spot.bars - 6);
    made.dice = { faces: [first, spot.bars - first], x: from + long + 10, y: y + h / 2 - die / 2, size: die };
  }
  return made;
}

/** The don't come beside the numbers, its words one under the other. */
function tall(spot: Printed, x: number, y: number, w: number, h: number, m: Measure, words: Words): Zone {
  const made = zone(spot, x, y, w, h, m.chip);
  const lines = upper(spot.bars ? `${spot.name} ${words.bar}` : spot.name).split(" ");
  const room = h - 2 * m.chip - (spot.bars ? 44 : 14) - 44;
  const size = Math.min(
    fit(
      lines.reduce((a, b) => (a.length > b.length ? a : b)),
      w - 20,
      24,
    ),
    room / lines.length / 1.12,
  );
  const from = y + 52 + size / 2;
  lines.forEach((text, number) => made.labels.push({ text, x: x + w / 2, y: from + number * size * 1.12, size }));
  if (spot.bars) {
    const first = Math.max(1, spot.bars - 6);
    made.dice = {
      faces: [first, spot.bars - first],
      x: x + w / 2 - 31,
      y: from + (lines.length - 0.4) * size * 1.12 + 4,
      size: 29,
    };
  }
  made.chip = { x: x + w / 2, y: y + h - m.chip - 10, r: m.chip };
  return made;
}

interface Inside {
  inner: number;
  right: number;
  y: number;
  words: Words;
}

/** Between come and line: the field, the don't line, and Big 6 and 8 in the corner. */
function middle(strips: Record<string, Printed[]>, m: Measure, zones: Zone[], given: Inside): number {
  let { y } = given;
  const big = strips.big ?? [];
  const [dont, dontOdds] = strips["dont line"] ?? [];
  const [field] = strips.field ?? [];
  const tallness = (field ? m.field : 0) + (dont ? m.dont : 0);
  const corner = big.length && tallness ? Math.max(m.across * 9, 74) : 0;
  big.forEach((spot, number) => {
    const h = tallness / big.length;
    const made = zone(spot, given.inner, y + number * h, corner, h, m.chip * 0.9);
    const [name, digit] = [spot.name.replace(/\s*\d+$/, ""), /\d+$/.exec(spot.name)?.[0] ?? ""];
    const left = given.inner + corner * 0.3;
    made.labels.push({
      text: upper(name),
      x: left,
      y: y + number * h + h * 0.26,
      size: fit(upper(name), corner * 0.52, 17),
    });
    made.labels.push({ text: digit, x: left, y: y + number * h + h * 0.62, size: h * 0.44, red: true });
    made.chip = {
      x: given.inner + corner * 0.76,
      y: y + number * h + h / 2,
      r: Math.min(m.chip * 0.9, corner * 0.21),
    };
    zones.push(made);
  });
  const x = given.inner + corner;
  if (field) {
    zones.push(fieldOf(field, x, y, given.right - x, m));
    y += m.field;
  }
  if (dont) {
    const room = given.right - x;
    const behind = dontOdds ? room * (fit(dontOdds.name, room * 0.24, 15) < 5 ? 0.36 : 0.24) : 0;
    zones.push(barred(dont, x, y, room - behind, m.dont, m, given.words));
    if (dontOdds) zones.push(behindOf(dontOdds, given.right - behind, y, behind, m.dont, m));
    y += m.dont;
  }
  return y;
}

/** Odds behind a line: a dashed place of their own. */
function behindOf(spot: Printed, x: number, y: number, w: number, h: number, m: Measure): Zone {
  const made = zone(spot, x, y, w, h, Math.min(m.chip, h * 0.42));
  made.dashed = true;
  let lines = folded(spot.name, w - 12, 13);
  if (lines.length > 1) lines = lines.flatMap((each) => folded(each, w - 12, 11));
  const size = Math.min(
    ...lines.map((each) => fit(each, w - 12, lines.length > 1 ? 14 : 15)),
    (h - 6) / lines.length / 1.1,
  );
  const tall = lines.length * size * 1.1;
  made.chip = { x: x + w / 2, y: y + h - (h - tall) / 2 + 2, r: Math.min(m.chip, (h - tall) / 2 - 4) };
  lines.forEach((text, at) => made.labels.push({ text, x: x + w / 2, y: y + 5 + (at + 0.5) * size * 1.1, size }));
  return made;
}

/** The field: its name, its numbers, and a ring around those that pay more. */
function fieldOf(spot: Printed, x: number, y: number, w: number, m: Measure): Zone {
  const made = zone(spot, x, y, w, m.field, m.chip);
  const prices = spot.pays.map(([, price]) => price);
  const usual = prices.toSorted(
    (a, b) => prices.filter((p) => p === b).length - prices.filter((p) => p === a).length,
  )[0];
  made.labels.push({
    text: upper(spot.name),
    x: x + w / 2,
    y: y + m.field * 0.26,
    size: fit(spot.name, w * 0.5, m.field * 0.27),
  });
  const step = w / (spot.pays.length + 1);
  spot.pays.forEach(([number, price], index) => {
    const cx = x + step * (index + 1);
    const more = price !== usual;
    made.labels.push({ text: String(number), x: cx, y: y + m.field * 0.66, size: m.field * 0.27 });
    if (more) {
      made.rings.push({ x: cx, y: y + m.field * 0.66, r: m.field * 0.22 });
      const outside = index === 0 ? -1 : index === spot.pays.length - 1 ? 1 : 0;
      made.labels.push({
        text: price,
        x: cx + outside * m.field * 0.42,
        y: y + m.field * (outside ? 0.66 : 0.93),
        size: 14,
      });
    }
  });
  made.chip = { x: x + w * 0.81, y: y + m.field * 0.28, r: m.chip * 0.9 };
  return made;
}

/** The line: an L around the left corner, its odds behind it towards the rail. */
function line(
  spots: Printed[],
  m: Measure,
  zones: Zone[],
  given: { left: number; right: number; armTop: number; y: number },
): number {
  const [flat, odds] = spots;
  if (!flat) return given.y;
  const { left, right, armTop, y } = given;
  const bottom = y + m.line;
  const made = zone(flat, left, armTop, right - left, bottom - armTop, m.chip);
  const inside = left + m.arm;
  const r = m.corner * 0.4;
  made.path =
    `M${left} ${armTop}V${bottom - m.corner}Q${left} ${bottom} ${left + m.corner} ${bottom}H${right}V${y}` +
    `H${inside + r}Q${inside} ${y} ${inside} ${y - r}V${armTop}Z`;
  const text = upper(flat.name);
  made.labels.push({
    text,
    x: inside + (right - inside) * 0.4,
    y: y + m.line / 2,
    size: fit(text, (right - inside) * 0.55, m.line * 0.52),
  });
  const room = y - armTop - 30;
  made.labels.push({
    text,
    x: left + m.arm / 2,
    y: armTop + 14 + room / 2,
    size: fit(text, room, m.arm * 0.44),
    turn: -90,
  });
  made.chip = { x: inside + (right - inside) * 0.82, y: y + m.line / 2, r: m.chip };
  made.inside = { x: inside, y, w: right - inside, h: m.line };
  zones.push(made);
  if (!odds) return bottom;
  const behind = behindOf(odds, inside, bottom + 4, right - inside, m.odds, m);
  const lines = folded(odds.name, (right - inside) * 0.6, 14);
  const size = Math.min(...lines.map((each) => fit(each, (right - inside) * 0.62, 18)));
  behind.labels = lines.map((text, number) => ({
    text,
    x: inside + (right - inside) * 0.4,
    y: bottom + 4 + m.odds / 2 + (number - (lines.length - 1) / 2) * size * 1.2,
    size,
  }));
  behind.chip = { x: made.chip.x, y: bottom + 4 + m.odds / 2, r: Math.min(m.chip, m.odds * 0.42) };
  zones.push(behind);
  return bottom + 4 + m.odds;
}

// --- The stick's box ---------------------------------------------------------------------------------------------------

const BOX = 420;

/** The stick's box: one-roll bets, hardways, splits, hops, each group under its title. */
export function layOutBox(plan: Plan): Drawn {
  const zones: Zone[] = [];
  const print: Label[] = [];
  let y = 8;
  const placed = sideBets(plan);
  for (const group of plan.props) {
    const spots = group.spots.filter((spot) => !placed.includes(spot));
    if (!spots.length) continue;
    print.push({ text: group.title, x: 12, y: y + 9, size: 14, anchor: "start" });
    y += 21;
    const drawn = spots.filter((spot) => spot.dice);
    const plain = spots.filter((spot) => !spot.dice);
    y = cells(plain, Math.min(3, plain.length), 48, y, zones);
    const many = drawn.length > 8;
    y = cells(drawn, many ? 7 : 4, many ? 58 : 68, y, zones);
    y += 4;
  }
  return drawnOf(BOX, y + 4, zones, print, {});
}

/** The middle of words in a cell with chips at its right: the cell's own, or as far left of it as the chips need. */
function beside(words: number, x: number, width: number, r: number): number {
  return Math.min(x + width / 2, x + width - 2 * r - 9 - words / 2);
}

function cells(spots: Printed[], columns: number, h: number, y: number, zones: Zone[]): number {
  if (!spots.length) return y;
  const w = (BOX - 16) / columns;
  const die = Math.min(30, w * 0.32, h * 0.42);
  const letters = Math.min(
    ...spots.filter((spot) => spot.dice).map((spot) => fit(pays(spot), w - die - 12, 15)),
    w / 4.4,
  );
  spots.forEach((spot, number) => {
    const inRow = Math.min(columns, spots.length - Math.floor(number / columns) * columns);
    const width = number >= Math.floor(spots.length / columns) * columns ? (BOX - 16) / inRow : w;
    const x = 8 + (number % columns) * width;
    const top = y + Math.floor(number / columns) * h;
    const made = zone(spot, x, top, width, h, Math.min(19, h * 0.34));
    const price = pays(spot);
    if (spot.dice) {
      made.dice = { faces: spot.dice, x: x + width / 2 - die - 2, y: top + 8, size: die };
      made.chip = { x: x + width - die / 2 - 5, y: top + h - die / 2 - 2, r: die / 2 };
      made.labels.push({
        text: price,
        x: beside(wide(price) * letters, x, width, made.chip.r),
        y: top + h - 13,
        size: letters,
      });
    } else {
      made.chip = { x: x + width - 19, y: top + h / 2 + 3, r: 15 };
      const room = width - 2 * made.chip.r - 16;
      const lines = folded(upper(spot.name), room);
      const size = Math.min(...lines.map((text) => fit(text, room, lines.length > 1 ? 12.5 : columns === 1 ? 20 : 16)));
      const centre = beside(Math.max(...lines.map((text) => wide(text) * size)), x, width, made.chip.r);
      const middle = top + h * (price ? 0.36 : 0.5);
      lines.forEach((text, at) =>
        made.labels.push({ text, x: centre, y: middle + (at - (lines.length - 1) / 2) * 14, size }),
      );
      if (price) made.labels.push({ text: price, x: centre, y: top + h * 0.76, size: 14 });
    }
    zones.push(made);
  });
  return y + Math.ceil(spots.length / columns) * h;
}
