/** What lies on the bench of the lab: the house, the strategies, the evening, the question on its way. */

import { packed, unpacked } from "../around/packed";
import { get, post, Problem, remove, type Shape } from "../ask";

export type File = Shape<"File">;
export type Answer = Shape<"Answer">;
export type Fault = Shape<"Fault">;
export type How = Answer["how"];

/** A strategy of the library by its name, or a file of one's own. */
export interface Slot {
  name: string;
  file?: File;
}

/** The fields of an evening, as they are typed; an empty one is left to the strategy or to the usual. */
export const FIELDS = ["unit", "rolls", "bankroll", "stop_win", "stop_loss"] as const;
export const MORE = ["hands", "max_bet", "notice", "dice", "sessions", "seed"] as const;
export type Field = (typeof FIELDS)[number] | (typeof MORE)[number];
const COUNTS = new Set<Field>(["rolls", "hands", "sessions", "seed"]);
const STORE = "passline-lab";
const LOOK_MS = 150;
export const STRATEGIES_MAX = 4;

interface Bench {
  house: string;
  houseFile: (File & { like: string; sign?: string; unit?: string }) | undefined;
  /** Whether the sign that the house posts holds. */
  limits: boolean;
  slots: Slot[];
  evening: Partial<Record<Field, string>>;
  over: { name: string; values: string }[];
}

const FIRST: Bench = {
  house: "strip",
  houseFile: undefined,
  slots: [{ name: "pass_max_odds" }],
  limits: true,
  evening: { unit: "15", rolls: "200", bankroll: "500", sessions: "20000" },
  over: [{ name: "bankroll", values: "100..500..100" }],
};

function stored(): Bench {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(STORE) ?? "{}") as Partial<Bench>) };
  } catch {
    return structuredClone(FIRST);
  }
}

export const bench: Bench = $state(stored());

/** Keep the bench as it is, for when the page is opened again. */
export function keep(): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(bench));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** The question on the bench as part of a link; "" where it is too long for one. */
export const asLink = (): Promise<string> => packed(JSON.stringify(bench));

/** Lay the question of a link on the bench; what is no question is left out. */
export async function fromLink(text: string): Promise<void> {
  const given = JSON.parse(await unpacked(text)) as Partial<Bench>;
  const slots = (Array.isArray(given.slots) ? given.slots : []).filter((slot) => typeof slot?.name === "string");
  if (typeof given.house === "string") bench.house = given.house;
  if (given.houseFile && typeof given.houseFile.text === "string") bench.houseFile = given.houseFile;
  if (slots.length) bench.slots = slots.slice(0, STRATEGIES_MAX);
  bench.limits = given.limits !== false;
  bench.evening = Object.fromEntries(
    [...FIELDS, ...MORE].flatMap((field) => (given.evening?.[field] ? [[field, String(given.evening[field])]] : [])),
  );
  keep();
}

/** The house of the bench as a question takes it. */
export function house(): string | File {
  const own = bench.houseFile;
  return bench.house === "" && own ? { file: own.file, text: own.text } : bench.house || "strip";
}

function requestOf(how: How): Shape<"QuestionBody"> {
  const [first, ...others] = bench.slots.map((slot) => slot.file ?? slot.name);
  const values: Record<string, string | number> = {};
  for (const field of [...FIELDS, ...MORE]) {
    const text = (bench.evening[field] ?? "").trim();
    if (text) values[field] = COUNTS.has(field) && /^\d+$/.test(text) ? Number(text) : text;
  }
  if (bench.limits) values.notice ??= "";
  const over = Object.fromEntries(
    bench.over.filter((each) => each.name && each.values).map((each) => [each.name, each.values]),
  );
  const question = {
    strategy: first,
    against: how === "sweep" ? [] : others,
    house: house(),
    how,
    over: how === "sweep" ? over : {},
    at_end: "run-out",
  };
  // The server reads every field strictly and says which one is wrong.
  return { sessions: 20_000, ...question, ...values } as Shape<"QuestionBody">;
}

/** One question from the asking to its answer; it can be let be. */
export class Question {
  view = $state<Shape<"QuestionView">>();
  problem = $state<Problem>();
  asking = $state(false);
  /** Whether it was let be, maybe before the house had a name for it. */
  stopped = $state(false);
  /** What was asked last, as it was sent. */
  #sent = $state("");
  #how = $state<How>("exact");
  #turn = 0;

  /** Whether the bench has been changed since. */
  get stale(): boolean {
    return this.#sent !== "" && this.#sent !== JSON.stringify(requestOf(this.#how));
  }

  /** Ask the same again of the bench as it is now. */
  again(): Promise<void> {
    return this.ask(this.#how);
  }

  get busy(): boolean {
    return this.asking || this.view?.state === "waiting" || this.view?.state === "working";
  }

  async ask(how: How): Promise<void> {
    const turn = ++this.#turn;
    this.problem = undefined;
    this.view = undefined;
    this.asking = true;
    this.stopped = false;
    keep();
    const body = requestOf(how);
    [this.#how, this.#sent] = [how, JSON.stringify(body)];
    try {
      let view = await post("/questions", body);
      if (turn !== this.#turn) return await letBe(view.question);
      while (turn === this.#turn) {
        this.view = view;
        this.asking = false;
        if (!this.busy) return;
        await new Promise((go) => setTimeout(go, LOOK_MS));
        view = await get("/questions/{question}", { question: view.question });
      }
    } catch (problem) {
      if (turn === this.#turn)
        this.problem = problem instanceof Problem ? problem : new Problem(0, "page", String(problem), null, {});
    } finally {
      if (turn === this.#turn) this.asking = false;
    }
  }

  /** Let it be; what has no name yet, as soon as it has one. */
  async stop(): Promise<void> {
    this.#turn++;
    [this.stopped, this.asking] = [true, false];
    const question = this.view?.question;
    this.view = undefined;
    if (question) await letBe(question);
  }
}

async function letBe(question: string): Promise<void> {
  await remove("/questions/{question}", { question }).catch(() => undefined);
}

export const question = new Question();

/** Give a text to the browser as a file to keep. */
export function save(name: string, text: string, kind = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The faults of a file that a problem tells. */
export function faultsOf(problem: unknown): Fault[] {
  if (!(problem instanceof Problem)) return [];
  const findings = problem.more.findings as Fault[] | undefined;
  return findings ?? [{ line: null, path: "", actual: problem.message, expected: "", nearest: null }];
}

/** Do something once nobody has asked for it for a moment; whoever asks last is heard. */
export function calmly(work: () => Promise<void>, wait = 250): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void work(), wait);
  };
}
