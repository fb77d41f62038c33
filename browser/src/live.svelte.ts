/** One table as it happens: looked at once, then every entry by Server-Sent Events, resumed without a gap. */

import { address, get, Problem, type Shape } from "./ask";

export type Heard = Shape<"Heard">;
type Kind = Shape<"EntryView">["kind"];

/** Every kind of entry; the compiler knows when the journal has another. */
const KINDS: Record<Kind, true> = {
  table_opened: true,
  acted: true,
  floor_acted: true,
  floor_heard: true,
  refused: true,
  seed_committed: true,
  player_seed_committed: true,
  player_seed_revealed: true,
  mix_frozen: true,
  bets_closed: true,
  dice_entered: true,
  dice_disagreed: true,
  rolled: true,
  roll_voided: true,
  seed_revealed: true,
  corrected: true,
  table_counted: true,
  table_taken: true,
  table_stopped: true,
  table_closed: true,
  cage_opened: true,
  cage_acted: true,
  people_opened: true,
  people_acted: true,
  signer_named: true,
};
const WAIT_MS = 1000;

export class Live {
  view = $state<Shape<"TableView">>();
  /** Whether the stream is open; while it is not, the page says so. */
  connected = $state(false);
  sequence = 0;
  #source: EventSource | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(
    readonly table: string,
    private readonly heard: (what: Heard) => void,
  ) {}

  /** Look at the table, and follow it from there. */
  async open(): Promise<void> {
    this.view = await get("/tables/{table}", { table: this.table });
    this.sequence = this.view.sequence;
    this.#follow();
  }

  get state(): Shape<"StateView"> | undefined {
    return this.view?.state;
  }

  /** Stop listening. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#again);
    this.#source?.close();
  }

  #follow(): void {
    const source = new EventSource(address("/tables/{table}/events", { table: this.table, after: this.sequence }));
    this.#source = source;
    source.onopen = () => (this.connected = true);
    source.onerror = () => {
      this.connected = false;
      // A browser tries again by itself after a cut line, and never after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED && !this.#over)
        this.#again = setTimeout(() => this.#follow(), WAIT_MS);
    };
    for (const kind of Object.keys(KINDS))
      source.addEventListener(kind, (event) => this.#hear(event as MessageEvent<string>));
    source.addEventListener("revoked", () => this.close());
  }

  #hear(event: MessageEvent<string>): void {
    const sequence = Number(event.lastEventId);
    if (sequence <= this.sequence) return;
    this.sequence = sequence;
    const what = JSON.parse(event.data) as Heard;
    if (what.state && this.view) this.view.state = what.state;
    this.heard(what);
  }
}

export { Problem };
