/** Something somebody asked for: whether it is still being done, and what went wrong with it. */

import { Problem } from "./ask";
import { say } from "./words";

/** What went wrong, for people. */
export function why(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error);
  return error.message ? (error.clause ? `${error.message} [${error.clause}]` : error.message) : say("no-answer");
}

export class Doing {
  busy = $state(false);
  problem = $state("");

  /** Do it; what goes wrong is kept to be shown, until the next thing is asked for. */
  readonly run = async (work: () => Promise<unknown>): Promise<void> => {
    [this.busy, this.problem] = [true, ""];
    try {
      await work();
    } catch (error) {
      this.problem = why(error);
    } finally {
      this.busy = false;
    }
  };
}
