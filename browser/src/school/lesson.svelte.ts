/** One learner: what is asked, what was answered, and the score sheet, which this browser keeps. */

import { get, post, type Shape } from "../ask";
import { Doing } from "../doing.svelte";

type Exercise = Shape<"ExerciseView">;
export type Part = Shape<"PartView">;
export type Sheet = Shape<"SheetView">;

interface Wanted {
  house: string;
  /** Empty: the score sheet says. */
  drill: string;
  level: number;
  timed: boolean;
}

const KEY = "passline-school";
export const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function read<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as T | undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, what: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** An answer as it is put together, in the words of the server: `14`, `b`, `a c`, `2x25 1x5`. */
export class Answer {
  text = $state("");
  picked = $state<number[]>([]);
  counts = $state<number[]>([]);

  constructor(readonly part: Part) {
    this.counts = part.chips.map(() => 0);
  }

  get written(): string {
    if (this.part.form === "chips") {
      const said = this.counts.flatMap((count, at) =>
        count ? [`${count}x${(this.part.chips[at] as number) / 100}`] : [],
      );
      return said.join(" ");
    }
    if (this.part.form === "amount" || this.part.form === "count") return this.text.trim();
    return this.picked.map((at) => LETTERS[at]).join(" ") || (this.part.form === "several" ? "none" : "");
  }

  /** Whether there is something to check. */
  get ready(): boolean {
    if (this.part.form === "order") return this.picked.length === this.part.options.length;
    return this.written !== "";
  }

  pick(at: number): void {
    const there = this.picked.includes(at);
    if (this.part.form === "choice") this.picked = [at];
    else this.picked = there ? this.picked.filter((each) => each !== at) : [...this.picked, at];
  }

  /** Taken instead of paid, and back. */
  turn(): void {
    const now = Number(this.text);
    if (now) this.text = String(-now);
  }

  /** A chip more on an amount. */
  add(grains: number, grain: number): void {
    const now = Number(this.text) || 0;
    this.text = String((Math.round(now * grain) + grains) / grain);
  }
}

export class Lesson {
  wanted = $state<Wanted>({ house: "adelaide", drill: "", level: 0, timed: false, ...read<Partial<Wanted>>(KEY) });
  houses = $state.raw<Shape<"HouseLine">[]>([]);
  syllabus = $state.raw<Shape<"Syllabus">>();
  asked = $state.raw<Exercise>();
  answers = $state.raw<Answer[]>([]);
  graded = $state.raw<Shape<"Graded">>();
  sheet = $state.raw<Sheet>();
  seconds = $state(0);
  readonly doing = new Doing();
  #began = 0;
  #turn = 0;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** Change what is asked for, and keep the choice. */
  async choose(wanted: Partial<Wanted>): Promise<void> {
    Object.assign(this.wanted, wanted);
    keep(KEY, this.wanted);
    if (wanted.house !== undefined) await this.enter();
    const drill = this.syllabus?.drills.find((each) => each.drill === this.wanted.drill);
    if (
      this.wanted.level &&
      !(drill ? drill.levels : Object.keys(this.syllabus?.levels ?? {}).map(Number)).includes(this.wanted.level)
    )
      this.wanted.level = 0;
    if (!("timed" in wanted)) await this.next();
  }

  /** Come into a house: its syllabus, and the sheet that is kept for it. */
  async enter(): Promise<void> {
    await this.doing.run(async () => {
      this.houses = this.houses.length ? this.houses : await get("/houses");
      if (!this.houses.some((each) => each.house === this.wanted.house))
        this.wanted.house = this.houses[0]?.house ?? "adelaide";
      const { house } = this.wanted;
      const found = await get("/school/{house}", { house });
      if (house !== this.wanted.house) return; // somebody has gone on to another
      this.syllabus = found;
      this.sheet = read<Sheet>(`${KEY}-${house}`) ?? undefined;
    });
  }

  /** The next exercise. */
  async next(): Promise<void> {
    const { house, drill, level } = this.wanted;
    await this.#ask(() =>
      post("/school/{house}", { drill: drill || null, level: level || null, sheet: this.sheet ?? null }, { house }),
    );
  }

  /** One exercise by its names. */
  async again(house: string, drill: string, level: string, seed: string): Promise<void> {
    await this.#ask(() => get("/school/{house}/{drill}/{level}/{seed}", { house, drill, level, seed }));
  }

  /** Show what is asked for; where somebody has asked for something else since, that. */
  async #ask(exercise: () => Promise<Exercise>): Promise<void> {
    const turn = ++this.#turn;
    await this.doing.run(async () => {
      const asked = await exercise();
      if (turn === this.#turn) this.#show(asked);
    });
  }

  async check(): Promise<void> {
    const asked = this.asked;
    if (!asked || this.graded) return;
    this.#tick();
    clearInterval(this.#clock);
    const { house, drill, level, seed } = asked;
    const body = {
      answers: this.answers.map((each) => each.written),
      seconds: this.wanted.timed ? this.seconds : null,
      sheet: this.sheet ?? null,
    };
    await this.doing.run(async () => {
      this.graded = await post("/school/{house}/{drill}/{level}/{seed}", body, { house, drill, level, seed });
      this.sheet = this.graded.sheet;
      keep(`${KEY}-${house}`, this.sheet);
    });
  }

  forget(): void {
    this.sheet = undefined;
    try {
      localStorage.removeItem(`${KEY}-${this.wanted.house}`);
    } catch {
      // Nothing was kept.
    }
  }

  leave(): void {
    clearInterval(this.#clock);
  }

  #show(asked: Exercise): void {
    this.asked = asked;
    this.answers = asked.parts.map((part) => new Answer(part));
    this.graded = undefined;
    this.#began = Date.now();
    this.seconds = 0;
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), 1000);
  }

  #tick(): void {
    this.seconds = Math.min(86_400, Math.floor((Date.now() - this.#began) / 1000));
  }
}
