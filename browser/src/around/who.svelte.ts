/** Who sits before this browser: an account, a guest, or nobody yet. */

import { get, post, remove, type Shape } from "../ask";
import { choices, choose } from "../choices.svelte";

class Who {
  /** `undefined` while nobody has asked; null where the house knows nobody here. */
  me = $state<Shape<"Me"> | null>();
  /** The table at which they said that they sit down, where it still asks how many chips. */
  sits = "";

  /** Ask the house who this is. */
  async look(): Promise<Shape<"Me"> | null> {
    this.me = (await get("/who")).me;
    return this.me;
  }

  /** Be somebody: whoever has no account comes as a guest, and a guest who takes another name comes again under it. */
  async be(name = ""): Promise<void> {
    const me = this.me ?? (await this.look());
    if (me && !(name && this.renames(me, name))) return;
    if (name) choose("name", name);
    await post("/guests", { name: choices.name });
    await this.look();
  }

  /** Whether a guest is asked for under another name, and keeps no table for others that they would lose with it. */
  renames(me: Shape<"Me">, name: string): boolean {
    return me.guest && me.name !== name && me.open.every((table) => table.practice) && !me.seated.length;
  }

  async signOut(): Promise<void> {
    await remove("/sessions");
    this.me = null;
  }
}
export const who = new Who();

/** An amount of grains as people write it. */
export function money(grains: number, grain = 100): string {
  const cents = grains % grain ? 2 : 0;
  return (grains / grain).toLocaleString(document.documentElement.lang, {
    minimumFractionDigits: cents,
    maximumFractionDigits: 2,
  });
}
