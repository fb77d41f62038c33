/** The page's colours as a canvas wants them: six digits each, as the theme has them now. */
export function inks(place: HTMLElement): (name: string) => string {
  return (name) => {
    place.style.color = `var(${name})`;
    const found = getComputedStyle(place).color.match(/\d+/g) ?? [];
    place.style.color = "";
    return `#${found.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  };
}
