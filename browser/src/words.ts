/** The page's own words, from Fluent catalogues: `say("table-roll")`. What the house says comes from the server. */

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";

const FILES = import.meta.glob<string>("./*/en.ftl", { query: "?raw", import: "default" });

/** The language of the page, and how it writes numbers and dates: that in which the server tells what the house does. */
export const language = "en";

const bundle = new FluentBundle(language, { useIsolating: false });
const known = new Map<string, Promise<void>>();

/** Learn the words of a part of the page; a view's are learnt before it is shown. */
export function learn(part: string): Promise<void> {
  const learning = known.get(part) ?? read(part);
  known.set(part, learning);
  return learning;
}
async function read(part: string): Promise<void> {
  const file = FILES[`./${part}/${language}.ftl`];
  if (file) bundle.addResource(new FluentResource(await file()));
}

/** A word or sentence of the page. */
export function say(id: string, given?: Record<string, FluentVariable>): string {
  const message = bundle.getMessage(id);
  return message?.value ? bundle.formatPattern(message.value, given) : id;
}
document.documentElement.lang = language;
// Charts write numbers by this one; some browsers have no language there at all ("en-US@posix"), which draws nothing.
Object.defineProperty(navigator, "language", { value: language });
