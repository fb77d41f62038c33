/** How the curves of a chart are drawn; what they are of comes from the analyst. */

import type uPlot from "uplot";
import type { Shape } from "../ask";
import { say } from "../words";

export type Chart = Shape<"Chart">;
type Curve = Shape<"Curve">;
type Colour = (name: string) => string;

export interface Key {
  label: string;
  colour: string;
  dash?: string;
  wide?: number;
  faint?: number;
}

/** The lines of up to four strategies differ in colour and in dashes. */
export const COLOURS = ["--lab-1", "--lab-2", "--lab-3", "--lab-4"];
export const DASHES: (number[] | undefined)[] = [undefined, [9, 5], [3, 4], [12, 4, 3, 4]];
const colourAt = (at: number): string => COLOURS[at % COLOURS.length] as string;
const dashAt = (at: number): number[] | undefined => DASHES[at % DASHES.length];
/** A colour of the page, which are six digits each, seen through. */
const faint = (colour: string, share: number): string =>
  colour +
  Math.round(share * 255)
    .toString(16)
    .padStart(2, "0");
const EVERY = 20;
const KEYS_MAX = 8;
const none: uPlot.Series = { width: 0, points: { show: false } };
const SIDES = ["--lose", "--dim", "--win"];

/** Of which strategy a line is: of the chosen one where it stands among bands, else of its own. */
const own = (chart: Chart, at: number, chosen: number): number =>
  chart.curves.some((curve) => curve.style === "band") ? chosen : at;
const bandsBefore = (chart: Chart, at: number): number =>
  chart.curves.slice(0, at).filter((curve) => curve.style === "band").length;
/** A number below nothing, about nothing or above it, in bars. */
const sideOf = (chart: Chart, place: number): number => (place < -chart.wide / 4 ? 0 : place > chart.wide / 4 ? 2 : 1);

export function keysOf(chart: Chart, chosen: number): Key[] {
  const keys = chart.curves.flatMap((curve, at): Key[] => {
    const colour = colourAt(own(chart, at, chosen));
    if (curve.style === "bars")
      return [say("lab-behind"), say("lab-even"), say("lab-ahead")].map((label, side) => ({
        label,
        colour: SIDES[side] as string,
        wide: 10,
      }));
    if (!curve.label) return [];
    if (curve.style === "band")
      return [{ label: curve.label, colour, wide: 10, faint: 0.2 + 0.25 * bandsBefore(chart, at) }];
    if (curve.style === "path") return [{ label: curve.label, colour: "--dim", wide: 1 }];
    if (curve.style === "steps") return [{ label: curve.label, colour: "--words", wide: 2 }];
    return [{ label: curve.label, colour, dash: (dashAt(own(chart, at, chosen)) ?? []).join(" ") }];
  });
  return keys.slice(0, KEYS_MAX);
}

/** The same as rows: where, and each labelled curve there; of lines that are long every so many. */
export function rowsOf(chart: Chart): (number | string | null)[][] {
  const curves = chart.curves.filter((curve) => curve.label || curve.style === "points");
  const bars = chart.curves.some((curve) => curve.style === "bars" || curve.style === "points");
  const every = bars ? 1 : Math.ceil(chart.places.length / EVERY);
  return chart.places
    .map((place, at) => [
      place,
      ...curves.flatMap((curve) => [...(curve.low.length ? [curve.low[at] ?? null] : []), curve.values[at] ?? null]),
    ])
    .filter((_, at) => at % every === 0 || at === chart.places.length - 1);
}

export function columnsOf(chart: Chart): string[] {
  const curves = chart.curves.filter((curve) => curve.label || curve.style === "points");
  return [
    chart.across,
    ...curves.flatMap((curve) => (curve.style === "band" ? curve.label.split(" to ") : [curve.label || chart.along])),
  ];
}

/** What uPlot draws, and how. */
export function drawn(
  chart: Chart,
  chosen: number,
  given: Colour,
  plot: typeof uPlot,
): [(number | null)[][], Partial<uPlot.Options>] {
  const numeric = chart.places.every((place) => typeof place === "number");
  const places = numeric ? (chart.places as number[]) : chart.places.map((_, at) => at);
  const data: (number | null)[][] = [places];
  const [series, bands]: [uPlot.Series[], uPlot.Band[]] = [[{}], []];
  const scaled = (values: readonly (number | null)[]): (number | null)[] =>
    chart.shares ? values.map((each) => each && each * 100) : [...values];
  const add = (values: readonly (number | null)[], look: uPlot.Series): number => {
    data.push(scaled(values));
    return series.push({ points: { show: false }, ...look }) - 1;
  };
  const line = (at: number): uPlot.Series => {
    const dash = dashAt(own(chart, at, chosen));
    return { stroke: given(colourAt(own(chart, at, chosen))), width: 2.5, ...(dash ? { dash } : {}) };
  };
  const bars = plot.paths.bars?.({ size: [0.9, 60], align: 0 });
  chart.curves.forEach((curve: Curve, at) => {
    if (curve.style === "band") {
      const ends: [number, number] = [add(curve.values, none), add(curve.low, none)];
      bands.push({ series: ends, fill: faint(given(colourAt(chosen)), 0.16 + 0.12 * bandsBefore(chart, at)) });
    } else if (curve.style === "bars")
      SIDES.forEach((name, side) =>
        add(
          curve.values.map((each, place) => (sideOf(chart, places[place] ?? 0) === side ? each : null)),
          { fill: given(name), width: 0, ...(bars ? { paths: bars } : {}) },
        ),
      );
    else if (curve.style === "path") add(curve.values, { stroke: faint(given("--words"), 0.4), width: 1 });
    else if (curve.style === "steps") add(curve.values, { stroke: given("--words"), width: 1.5 });
    else add(curve.values, { ...line(at), ...(curve.style === "points" ? { points: { show: true, size: 6 } } : {}) });
  });
  const half = chart.wide / 2;
  const whole: [number, number] = [(places[0] ?? 0) - half, (places.at(-1) ?? 1) + half];
  return [data, { series, bands, ...(half ? { scales: { x: { time: false, range: whole } } } : {}) }];
}
