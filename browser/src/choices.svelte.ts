/** What somebody chose for this browser: kept here, told to nobody. */

export type Theme = "system" | "dark" | "light";

interface Choices {
  theme: Theme;
  /** None until somebody has said: then the switch for it shows itself. */
  sound: boolean | null;
  voice: boolean;
  animated: boolean;
  /** Whether a line bet that won goes up again. */
  keeps: boolean;
  name: string;
  /** The table of the last lesson, and how far it was when it was opened. */
  lesson: { table: string; sequence: number } | null;
}

const KEY = "passline";
/** Somebody who has said no name yet has one of these, in sight and theirs to change, before anybody else can see it. */
const NAMES =
  "Ash Billie Casey Drew Ellis Frankie Hollis Jo Kit Lou Nicky Ollie Pat Quinn Robin Sam Toni Val Wyn".split(" ");
const FIRST: Choices = {
  theme: "system",
  sound: null,
  voice: false,
  animated: true,
  keeps: false,
  name: NAMES[Math.floor(Math.random() * NAMES.length)] as string,
  lesson: null,
};

function kept(): Choices {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>;
    return { ...FIRST, ...stored, name: stored.name || FIRST.name };
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
