/** Where the page is: the fragment of its address, matched with the list of views. */

import { VIEWS, type View } from "./views";

export interface Route {
  view: View;
  given: Record<string, string>;
}

const FIRST = "lobby";

function match(fragment: string): Route | undefined {
  const parts = fragment.replace(/^#\/?/, "").split("/").filter(Boolean);
  for (const view of VIEWS) {
    const wanted = view.path.split("/");
    if (wanted.length !== parts.length) continue;
    const given: Record<string, string> = {};
    const fits = wanted.every((part, at) => {
      const found = parts[at] as string;
      if (!part.startsWith(":")) return part === found;
      given[part.slice(1)] = decodeURIComponent(found);
      return true;
    });
    if (fits) return { view, given };
  }
  return undefined;
}

function here(): Route {
  return match(location.hash) ?? (match(`#/${FIRST}`) as Route);
}

class Router {
  route = $state.raw<Route>(here());
}
export const router = new Router();
addEventListener("hashchange", () => (router.route = here()));

/** Go to a view: `go("table", "friday")`. */
export function go(...parts: string[]): void {
  location.hash = link(...parts);
}

/** The address of a view, for `href`. */
export function link(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
