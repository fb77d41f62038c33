/** Who sits before this browser: an account, a guest, or nobody yet. */

import { get, post, Problem, remove, type Shape } from "../ask";
import { choices, choose } from "../choices.svelte";
import { say } from "../words";

class Who {
  /** `undefined` while nobody has asked; null where the house knows nobody here. */
  me = $state<Shape<"Me"> | null>();

  /** Ask the house who this is. */
  async look(): Promise<Shape<"Me"> | null> {
    this.me = (await get("/who")).me;
    return this.me;
  }

  /** Be somebody: whoever has no account comes as a guest. */
  async be(name = ""): Promise<void> {
    if (this.me ?? (await this.look())) return;
    if (name) choose("name", name);
    await post("/guests", { name: name || choices.name || say("around-you") });
    await this.look();
  }

  async signOut(): Promise<void> {
    await remove("/sessions");
    this.me = null;
  }
}
export const who = new Who();

/** What went wrong, for people. */
export function why(error: unknown): string {
  if (!(error instanceof Problem)) return String(error);
  return error.message ? (error.clause ? `${error.message} [${error.clause}]` : error.message) : say("no-answer");
}

/** An amount of grains as people write it. */
export function money(grains: number, grain = 100): string {
  return (grains / grain).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}
