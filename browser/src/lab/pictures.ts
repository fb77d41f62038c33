/** What each chart draws, from what the analyst answered. */

import type uPlot from "uplot";
import type { Shape } from "../ask";
import { say } from "../words";

type Result = Shape<"Result">;
type Colour = (name: string) => string;

export interface Picture {
  title: string;
  about: string;
  across: string;
  /** What is measured upwards, and in what. */
  up: string;
  data: (number | null)[][];
  key: { label: string; colour: string; dash?: string; wide?: number; faint?: number }[];
  columns: string[];
  /** Whether what it draws is shares, told in per cent. */
  shares?: boolean;
  rows: (number | string | null)[][];
  draw: (colour: Colour, plot: typeof uPlot) => Partial<uPlot.Options>;
}

/** The lines of up to four strategies differ in colour and in dashes. */
export const COLOURS = ["--lab-1", "--lab-2", "--lab-3", "--lab-4"];
export const DASHES: (number[] | undefined)[] = [undefined, [9, 5], [3, 4], [12, 4, 3, 4]];
const colourAt = (at: number): string => COLOURS[at % COLOURS.length] as string;
const dashAt = (at: number): string => (DASHES[at % DASHES.length] ?? []).join(" ");
/** A colour of the page, which are six digits each, seen through. */
const faint = (colour: string, share: number): string =>
  colour +
  Math.round(share * 255)
    .toString(16)
    .padStart(2, "0");
const EVERY = 20;
const thin = <T>(rows: T[]): T[] =>
  rows.filter((_, at) => at % Math.ceil(rows.length / EVERY) === 0 || at === rows.length - 1);

/** The net over time: median, the middle half, the middle nine tenths, and a few sessions as they went. */
export function fan(result: Result, at: number): Picture | undefined {
  const found = result.fan;
  if (!found) return undefined;
  const cut = (name: string): number[] => found.quantiles[name] ?? [];
  const bands = [cut("0.05"), cut("0.25"), cut("0.5"), cut("0.75"), cut("0.95")];
  const paths = found.paths.slice(0, 4);
  const colour = colourAt(at);
  return {
    title: say("lab-fan", { strategy: result.name }),
    about: say("lab-fan-about"),
    across: say("lab-rolls"),
    up: say("lab-net-so-far"),
    data: [found.rolls, ...bands, ...paths],
    key: [
      { label: say("lab-median"), colour },
      { label: say("lab-half"), colour, wide: 10, faint: 0.45 },
      { label: say("lab-nine-tenths"), colour, wide: 10, faint: 0.2 },
      { label: say("lab-single"), colour: "--dim", wide: 1 },
    ],
    columns: [say("lab-rolls"), "5 %", "25 %", say("lab-median"), "75 %", "95 %"],
    rows: thin(found.rolls.map((rolls, place) => [rolls, ...bands.map((band) => band[place] ?? null)])),
    draw: (given) => {
      const line = given(colour);
      const none = { width: 0, points: { show: false } };
      return {
        series: [
          {},
          { ...none },
          { ...none },
          { stroke: line, width: 2.5, points: { show: false } },
          { ...none },
          { ...none },
          ...paths.map(() => ({ stroke: faint(given("--words"), 0.4), width: 1, points: { show: false } })),
        ],
        bands: [
          { series: [5, 1], fill: faint(line, 0.16) },
          { series: [4, 2], fill: faint(line, 0.28) },
        ],
      };
    },
  };
}

/** The final net: the share of each bar, losses and wins in their colours; beside a sample what it must be exactly. */
export function histogram(result: Result): Picture {
  const { edges, share, exact } = result.bars;
  const middles = share.map((_, at) => ((edges[at] ?? 0) + (edges[at + 1] ?? 0)) / 2);
  const wide = (edges[1] ?? 1) - (edges[0] ?? 0);
  const loses = share.map((each, at) => ((middles[at] ?? 0) < -wide / 4 ? each * 100 : null));
  const even = share.map((each, at) => (Math.abs(middles[at] ?? 0) <= wide / 4 ? each * 100 : null));
  const wins = share.map((each, at) => ((middles[at] ?? 0) > wide / 4 ? each * 100 : null));
  const line = exact?.map((each) => each * 100);
  const columns = [say("lab-net-from"), say("lab-net-to"), result.fan ? say("lab-share") : say("lab-chance")];
  return {
    title: say("lab-histogram", { strategy: result.name }),
    about: result.fan ? say("lab-histogram-sample") : say("lab-histogram-law"),
    across: say("lab-net"),
    up: columns[2] as string,
    data: [middles, loses, even, wins, ...(line ? [line] : [])],
    key: [
      { label: say("lab-behind"), colour: "--lose", wide: 10 },
      { label: say("lab-even"), colour: "--dim", wide: 10 },
      { label: say("lab-ahead"), colour: "--win", wide: 10 },
      ...(line ? [{ label: say("lab-exactly"), colour: "--words", wide: 2 }] : []),
    ],
    columns: line ? [...columns, say("lab-exactly")] : columns,
    rows: share.map((each, at) => [
      edges[at] ?? null,
      edges[at + 1] ?? null,
      each * 100,
      ...(line ? [line[at] ?? null] : []),
    ]),
    draw: (given, plot) => {
      const bars = plot.paths.bars?.({ size: [0.9, 60], align: 0 });
      const bar = (name: string): uPlot.Series => ({
        fill: given(name),
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      });
      const over: uPlot.Series = { stroke: given("--words"), width: 1.5, points: { show: false } };
      const whole: [number, number] = [edges[0] ?? 0, edges.at(-1) ?? 1];
      return {
        scales: { x: { time: false, range: whole } },
        series: [{}, bar("--lose"), bar("--dim"), bar("--win"), ...(line ? [over] : [])],
      };
    },
  };
}

/** The chance that the next bet could not be made by then, for each strategy. */
export function ruin(results: Result[]): Picture | undefined {
  const curves = results.map(
    (result) => new Map(result.ruin_curve.map(([rolls, chance]) => [rolls, Number(chance) * 100])),
  );
  const rolls = [...new Set(curves.flatMap((curve) => [...curve.keys()]))].sort((a, b) => a - b);
  if (rolls.length < 2 || !results.some((result) => Number(result.p_ruin_decimal) > 0)) return undefined;
  const lines = curves.map((curve) => {
    let last = 0;
    return rolls.map((roll) => (last = curve.get(roll) ?? last));
  });
  return {
    title: say("lab-ruin"),
    about: say("lab-ruin-about"),
    across: say("lab-rolls"),
    up: say("lab-chance"),
    data: [rolls, ...lines],
    key: results.map((result, at) => ({ label: result.name, colour: colourAt(at), dash: dashAt(at) })),
    columns: [say("lab-rolls"), ...results.map((result) => result.name)],
    rows: thin(rolls.map((roll, place) => [roll, ...lines.map((line) => line[place] ?? null)])),
    draw: (given) => ({ series: [{}, ...results.map((_, at) => lineAt(given, at))] }),
  };
}

/** Whether a figure of a sweep is told in per cent. */
const isShare = (figure: string): boolean => figure.startsWith("p_") || figure === "edge";

/** One figure of a sweep over the first thing that was changed, a line for each setting of the others. */
export function swept(found: Shape<"SweepTold">, figure: string): Picture {
  const [first = "", ...rest] = found.over;
  const setting = (row: Record<string, unknown>): string =>
    rest.map((name) => `${name} ${String(row[name])}`).join(", ");
  const across = [...new Set(found.rows.map((row) => String(row[first])))];
  const lines = [...new Set(found.rows.map(setting))];
  const numeric = across.every((each) => !Number.isNaN(Number(each)));
  const order = numeric ? [...across].sort((a, b) => Number(a) - Number(b)) : across;
  const value = (label: string, at: string): number | null => {
    const row = found.rows.find((each) => String(each[first]) === at && setting(each) === label);
    return row?.[figure] == null ? null : Number(row[figure]);
  };
  return {
    title: say("lab-sweep-of", { figure: say(`lab-figure-${figure}`), name: first }),
    about: found.figures[figure] ?? "",
    shares: isShare(figure),
    across: first,
    up: say(`lab-figure-${figure}`),
    data: [
      order.map((each, at) => (numeric ? Number(each) : at)),
      ...lines.map((label) => order.map((at) => value(label, at))),
    ],
    key: lines.slice(0, 8).map((label, at) => ({ label: label || figure, colour: colourAt(at), dash: dashAt(at) })),
    columns: [first, ...lines.map((label) => label || say(`lab-figure-${figure}`))],
    rows: order.map((at) => [at, ...lines.map((label) => value(label, at))]),
    draw: (given) => ({
      series: [{}, ...lines.map((_, at) => ({ ...lineAt(given, at), points: { show: true, size: 6 } }))],
    }),
  };
}

function lineAt(given: Colour, at: number): uPlot.Series {
  const dash = DASHES[at % DASHES.length];
  return { stroke: given(colourAt(at)), width: 2.5, points: { show: false }, ...(dash ? { dash } : {}) };
}
