/** One table as it happens: looked at once, then every entry by Server-Sent Events, resumed without a gap. */

import { address, get, Problem, type Shape } from "./ask";

/** An entry in brief, with the table after it whole. */
export type Heard = Omit<Shape<"Brief">, "state"> & { state?: State };
type State = Shape<"StateView">;

const WAIT_MS = 1000;
/** The stream beats every five seconds: after so long without a sign the line is cut, though nobody said so. */
const SILENT_MS = 12_000;
const LOOK_MS = 1000;

export class Live {
  view = $state<Shape<"TableView">>();
  /** Whether the stream is open; while it is not, the page says so. */
  connected = $state(false);
  sequence = 0;
  #source: EventSource | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #over = false;
  #wasCut = false;
  /** When the stream last said anything. */
  #alive = 0;
  readonly #woke = (): void => {
    if (document.visibilityState === "visible" && Date.now() - this.#alive > SILENT_MS / 2) this.#renew();
  };

  constructor(
    readonly table: string,
    private readonly heard: (what: Heard) => void,
  ) {}

  /** Look at the table, and follow it from there. */
  async open(): Promise<void> {
    this.view = await get("/tables/{table}", { table: this.table });
    this.sequence = this.view.sequence;
    this.#follow();
    this.#watch = setInterval(() => {
      if (Date.now() - this.#alive > SILENT_MS) this.#renew();
    }, LOOK_MS);
    document.addEventListener("visibilitychange", this.#woke);
  }

  get state(): Shape<"StateView"> | undefined {
    return this.view?.state;
  }

  /** Stop listening. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#again);
    clearInterval(this.#watch);
    document.removeEventListener("visibilitychange", this.#woke);
    this.#source?.close();
  }

  /** A new stream in the place of one that has fallen silent. */
  #renew(): void {
    if (this.#over) return;
    this.connected = false;
    this.#wasCut = true;
    clearTimeout(this.#again);
    this.#source?.close();
    this.#follow();
  }

  #follow(): void {
    const asked = { table: this.table, after: this.sequence, view: "brief" as const };
    const source = new EventSource(address("/tables/{table}/events", asked));
    this.#source = source;
    this.#alive = Date.now();
    source.onopen = () => {
      this.connected = true;
      this.#alive = Date.now();
      if (this.#wasCut) void this.#compare().catch(() => undefined);
      this.#wasCut = false;
    };
    source.addEventListener("floor", () => void this.#signs());
    source.addEventListener("beat", () => (this.#alive = Date.now()));
    source.onerror = () => {
      this.connected = false;
      this.#wasCut = true;
      // A browser tries again by itself after a cut line, and never after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED && !this.#over)
        this.#again = setTimeout(() => this.#follow(), WAIT_MS);
    };
    source.addEventListener("entry", (event) => this.#hear(event as MessageEvent<string>));
    source.addEventListener("revoked", () => {
      this.close();
      this.connected = false;
    });
  }

  /** Begin anew where a backup was put back behind a cut line: what is shown here never was, and no stream says so. */
  async #compare(): Promise<void> {
    const after = this.sequence;
    const { last } = await get("/tables/{table}/chain", { table: this.table, after });
    if (last < after) location.reload();
  }

  /** What hangs at the table, after the floor has decided something. */
  async #signs(): Promise<void> {
    const looked = await get("/tables/{table}", { table: this.table }).catch(() => undefined);
    if (!this.view || !looked) return;
    const { sign, notice, limits_sign, closing_sign, player_limits, excluded, now } = looked;
    this.view = { ...this.view, sign, notice, limits_sign, closing_sign, player_limits, excluded, now };
  }

  #hear(event: MessageEvent<string>): void {
    this.#alive = Date.now();
    const sequence = Number(event.lastEventId);
    if (sequence <= this.sequence) return;
    this.sequence = sequence;
    const { state: patch, ...what } = JSON.parse(event.data) as Shape<"Brief">;
    if (!this.view) return;
    const state = patch ? patched(this.view.state, patch as Patch) : undefined;
    if (state) this.view.state = state;
    if (what.seat !== undefined) this.view.seat = what.seat?.seat ?? null;
    if (what.kind === "floor_acted" || what.kind === "floor_heard") void this.#signs();
    this.heard({ ...what, state });
  }
}

type Place = Shape<"PlaceView">;
interface Patch extends Partial<Omit<State, "seats">> {
  seats?: Record<string, (Omit<Partial<Place>, "up"> & { up?: Record<string, Place["up"][string] | null> }) | null>;
}

/** A table with what has changed of it; the one before is left as it was. */
function patched(state: State, { seats: changed, ...rest }: Patch): State {
  const seats = { ...$state.snapshot(state.seats) } as State["seats"];
  for (const [number, patch] of Object.entries(changed ?? {})) {
    if (!patch) {
      delete seats[number];
      continue;
    }
    const { up: chips, ...place } = patch;
    const up = { ...seats[number]?.up };
    for (const [wager, there] of Object.entries(chips ?? {})) {
      if (there) up[wager] = there;
      else delete up[wager];
    }
    seats[number] = { ...(seats[number] as Place), ...place, up };
  }
  return { ...$state.snapshot(state), ...rest, seats };
}

export { Problem };
