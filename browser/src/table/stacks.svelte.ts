/** The chips on the felt as they are drawn: the same stacks from roll to roll, those that are paid, those that are lost. */

import type { Shape } from "../ask";

export interface Stack {
  id: string;
  seat: number;
  name: string;
  wager: string;
  amount: number;
  call: "on" | "off" | "";
}
interface Paid {
  id: string;
  seat: number;
  wager: string;
  amount: number;
}
export type Happened = { kind: string; seat?: number; wager?: string; to?: string; won?: number; stays?: boolean };

/** Dealers take before they pay: how long the losing chips are on their way. */
export const TAKEN_MS = 420;
/** How long a payment lies beside the bet it is for. */
const PAID_MS = 1500;
const PAID_QUICK_MS = 900;

/** The button that chips wear: off where they rest, on where they were called on. */
export const buttonOf = (up: Shape<"WagerView">): Stack["call"] =>
  up.call === "on" ? "on" : up.works || up.has ? "" : "off";

export class Stacks {
  stacks = $state.raw<Stack[]>([]);
  paid = $state.raw<Paid[]>([]);
  /** The stacks that the last roll took, and those that it paid. */
  lost = new Set<string>();
  won = new Set<string>();
  /** The table as it is drawn; while dice are in the air, still as it was. */
  shown = $state.raw<Shape<"StateView">>();
  #ids = new Map<string, string>();
  #count = 0;

  /** A bet that goes to its number is the same chips. */
  travel(event: Happened): void {
    const from = `${event.seat}:${event.wager}`;
    const id = this.#ids.get(from);
    if (!id) return;
    this.#ids.delete(from);
    this.#ids.set(`${event.seat}:${event.to}`, id);
  }

  draw(state: Shape<"StateView">, events: Happened[] = []): void {
    const that = (kind: string): Set<string> =>
      new Set(
        events.filter((each) => each.kind === kind).map((each) => this.#ids.get(`${each.seat}:${each.wager}`) ?? ""),
      );
    [this.lost, this.won] = [that("event.wager_lost"), that("event.wager_won")];
    const stacks: Stack[] = [];
    const ids = new Map<string, string>();
    for (const [number, place] of Object.entries(state.seats)) {
      for (const [wager, up] of Object.entries(place.up)) {
        const where = `${number}:${wager}`;
        const id = this.#ids.get(where) ?? `${where}#${++this.#count}`;
        ids.set(where, id);
        stacks.push({
          id,
          seat: Number(number),
          name: place.name,
          wager,
          amount: up.stake,
          call: buttonOf(up),
        });
      }
    }
    this.#ids = ids;
    this.shown = state;
    this.stacks = stacks;
  }

  /** How long after a roll the payments, and the bets that come down with them, go to the rail. */
  get homeward(): number {
    return PAID_MS + (this.lost.size ? TAKEN_MS : 0);
  }

  /** Chips lie beside what they pay for a while. */
  pay(won: Happened[], sequence: number, quick: boolean): void {
    const paid = won.map((event) => ({
      id: `${sequence}/${event.seat}/${event.wager}`,
      seat: event.seat ?? 0,
      wager: event.wager ?? "",
      amount: event.won ?? 0,
    }));
    this.paid = paid;
    setTimeout(
      () => {
        if (this.paid === paid) this.paid = [];
      },
      quick ? PAID_QUICK_MS : this.homeward,
    );
  }
}
