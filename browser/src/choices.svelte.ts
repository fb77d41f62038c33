/** What somebody chose for this browser: kept here, told to nobody. */

export type Theme = "system" | "dark" | "light";

interface Choices {
  theme: Theme;
  sound: boolean;
  voice: boolean;
  animated: boolean;
  /** Whether a line bet that won goes up again. */
  keeps: boolean;
  name: string;
  /** The table of the last lesson, and how far it was when it was opened. */
  lesson: { table: string; sequence: number } | null;
}

const KEY = "passline";
const FIRST: Choices = {
  theme: "system",
  sound: false,
  voice: false,
  animated: true,
  keeps: false,
  name: "",
  lesson: null,
};

function kept(): Choices {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return { ...FIRST };
  }
}

export const choices: Choices = $state(kept());

/** Change a choice, and keep it. */
export function choose<K extends keyof Choices>(what: K, to: Choices[K]): void {
  choices[what] = to;
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  apply();
}

/** Show the page as it was chosen. */
export function apply(): void {
  document.documentElement.dataset.theme = choices.theme;
}
