/** The position of an exercise as the felt draws it: looked at, and touched by nobody. */

import { money } from "../around/who.svelte";
import type { Shape } from "../ask";
import type { Board } from "../table/play.svelte";
import type { Stack } from "../table/stacks.svelte";

const ANN = 1;

export class Seen implements Board {
  readonly me = ANN;
  readonly paid = [];
  readonly seat = undefined;
  readonly looking = true;
  readonly quick = true;
  stop = "";
  pointed = "";

  constructor(readonly asked: Shape<"ExerciseView">) {}

  get shown(): Shape<"StateView"> {
    return this.asked.state;
  }
  get mine(): Record<string, Shape<"WagerView">> {
    return this.shown.seats[this.me]?.up ?? {};
  }
  /** Chips wear the buttons that somebody put there; what rests by itself is for the learner to know. */
  get stacks(): Stack[] {
    return Object.entries(this.shown.seats).flatMap(([seat, { name, up }]) =>
      Object.entries(up).map(([wager, chips]) => ({
        id: `${seat}:${wager}`,
        seat: Number(seat),
        name,
        wager,
        amount: chips.stake,
        call: chips.call ?? ("" as const),
      })),
    );
  }
  get grain(): number {
    return this.asked.grain;
  }
  get float(): readonly number[] {
    return this.asked.chips;
  }
  money(grains: number): string {
    return money(grains, this.grain);
  }
  point(): void {}
  bet(): Promise<boolean> {
    return Promise.resolve(false);
  }
  take(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
