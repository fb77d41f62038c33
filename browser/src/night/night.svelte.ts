/** The house tonight, as whoever works in it sees it: looked at again after every act, and every few seconds. */

import { get, Problem, type Shape } from "../ask";
import type { Permissions } from "../box/fields";
import { why } from "../doing.svelte";

const AGAIN_MS = 5000;

export class Night {
  view = $state.raw<Shape<"NightView">>();
  /** What may be asked of the floor of the house. */
  house = $state.raw<Permissions>();
  /** What may be asked of the table that is looked at. */
  table = $state.raw<Permissions>();
  problem = $state("");
  /** Whether whoever worked here is signed in no longer: a night may be longer than that lasts. */
  signedOut = $state(false);
  #clock: ReturnType<typeof setInterval>;

  constructor(readonly at: string) {
    this.#clock = setInterval(() => {
      if (document.visibilityState === "visible" && !document.querySelector("dialog[open]")) void this.look();
    }, AGAIN_MS);
  }

  close(): void {
    clearInterval(this.#clock);
  }

  readonly look = async (): Promise<void> => {
    try {
      const [view, house, table] = await Promise.all([
        get("/night"),
        get("/floor/permissions"),
        this.at ? get("/tables/{table}/permissions", { table: this.at }) : undefined,
      ]);
      [this.view, this.house, this.table, this.problem, this.signedOut] = [view, house, table, "", false];
    } catch (error) {
      this.problem = why(error);
      this.signedOut = error instanceof Problem && error.status === 401;
    }
  };

  /** Everybody's name, as forms suggest it. */
  get names(): string[] {
    return this.view?.people.map((each) => each.name) ?? [];
  }
  /** Whether somebody here holds one of these roles in the whole house. */
  is(...roles: string[]): boolean {
    return roles.some((role) => this.view?.roles.includes(role));
  }
  name(person: string): string {
    return this.view?.people.find((each) => each.person === person.toLowerCase())?.name ?? person;
  }
}

/** A time as people read it: with its day, unless that is today; by the house's clock where it has one of its own. */
export function when(time: string, zone = "UTC", timeStyle: "short" | "medium" = "short"): string {
  if (!time) return "";
  const timeZone = zone === "UTC" ? undefined : zone;
  const day = (at: Date): string => at.toLocaleDateString("en", { timeZone });
  const today = day(new Date(time)) === day(new Date());
  return new Date(time).toLocaleString(document.documentElement.lang, {
    timeZone,
    timeStyle,
    ...(today ? {} : { dateStyle: "medium" }),
  });
}
