/** A game that was played, step by step, as the felt draws it. */

import { get, post, type Shape } from "../ask";
import { choices } from "../choices.svelte";
import type { Board } from "../table/play.svelte";
import { buttonOf, type Stack } from "../table/stacks.svelte";

export type Step = Shape<"Step">;
export type Steps = Shape<"Steps">;

/** Where steps come from: the next page after those that are here, or nothing more. */
export type Pages = (steps: Step[]) => Promise<{ page: Steps; more: boolean }>;

/** The steps of a record, which is sent and not kept. */
export function ofRecord(record: string): Pages {
  return async (steps) => {
    const page = await post("/replays", { record, first: steps.length + 1 });
    return { page, more: steps.length + page.steps.length < page.last };
  };
}

/** The steps of a table, from one entry to another. */
export function ofTable(table: string, first: number, last: number): Pages {
  return async (steps) => {
    const after = steps.at(-1)?.at ?? first - 1;
    const page = await get("/tables/{table}/steps", { table, after });
    const end = page.steps.at(-1)?.at ?? page.last;
    page.steps = page.steps.filter((step) => step.at <= last);
    return { page, more: page.steps.length > 0 && end < Math.min(last, page.last) };
  };
}

export class Past implements Board {
  about = $state.raw<Steps>();
  steps = $state.raw<Step[]>([]);
  more = $state(true);
  number = $state(0);
  /** The step that a hand begins with, where others go before it. */
  first = 0;
  me = $state(0);
  stop = $state("");
  pointed = $state("");
  looking = true;
  readonly paid = [];
  readonly seat = undefined;

  /** `own` is the seat of whoever looks, 0 where they only watched; without it, the first seat is looked from. */
  constructor(
    private readonly pages: Pages,
    private readonly own?: number,
  ) {}

  /** Have the next page; true where there was one. */
  async load(): Promise<boolean> {
    if (!this.more) return false;
    const { page, more } = await this.pages(this.steps);
    this.about ??= page;
    this.steps = [...this.steps, ...page.steps];
    this.more = more;
    this.me ||= this.own ?? Number(Object.keys(this.steps.at(-1)?.state.seats ?? {})[0] ?? 0);
    return true;
  }

  /** Go to a step, the first being 0; what is not here yet is fetched. */
  async go(to: number): Promise<void> {
    while (to >= this.steps.length && (await this.load())) void 0;
    this.number = Math.max(0, Math.min(to, this.steps.length - 1));
  }

  /** The next roll, or the last one before. */
  async roll(way: 1 | -1): Promise<void> {
    for (let at = this.number + way; at >= 0; at += way) {
      if (at >= this.steps.length && !(await this.load())) break;
      if (this.steps[at]?.dice) return this.go(at);
    }
    await this.go(way > 0 ? this.steps.length - 1 : 0);
  }

  get step(): Step | undefined {
    return this.steps[this.number];
  }
  /** The dice that lie there: of this roll, or of the last one before. */
  get dice(): [number, number] | undefined {
    return this.steps.slice(0, this.number + 1).findLast((step) => step.dice)?.dice as [number, number] | undefined;
  }
  get shown(): Shape<"StateView"> | undefined {
    return this.step?.state;
  }
  get mine(): Record<string, Shape<"WagerView">> {
    return this.shown?.seats[this.me]?.up ?? {};
  }
  get stacks(): Stack[] {
    return Object.entries(this.shown?.seats ?? {}).flatMap(([seat, { name, up }]) =>
      Object.entries(up).map(([wager, chips]) => ({
        id: `${seat}:${wager}`,
        seat: Number(seat),
        name,
        wager,
        amount: chips.stake,
        call: buttonOf(chips),
      })),
    );
  }
  get grain(): number {
    return this.about?.grain ?? 100;
  }
  get float(): readonly number[] {
    return this.about?.chips ?? [];
  }
  get quick(): boolean {
    return !choices.animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
  money(grains: number): string {
    return (grains / this.grain).toLocaleString(document.documentElement.lang);
  }
  point(): void {
    this.pointed = "";
  }
  /** Nobody bets on what is over. */
  bet(): void {
    return;
  }
  /** Nor takes down. */
  take(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
