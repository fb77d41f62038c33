import { MediaQuery } from "svelte/reactivity";
import { choices } from "./choices.svelte";

const dark = new MediaQuery("(prefers-color-scheme: dark)");

/** The page's colours as a canvas wants them: six digits each, as the theme has them now; an effect that asks runs again when it changes. */
export function inks(place: HTMLElement): (name: string) => string {
  void [choices.theme, dark.current];
  return (name) => {
    place.style.color = `var(${name})`;
    const found = getComputedStyle(place).color.match(/\d+/g) ?? [];
    place.style.color = "";
    return `#${found
      .slice(0, 3)
      .map((part) => Number(part).toString(16).padStart(2, "0"))
      .join("")}`;
  };
}
