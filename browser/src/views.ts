/** Every view of the page: where it is, what it is called, which words it needs, and how it is fetched. */

import type { Component } from "svelte";

export interface View {
  /** `table/:table` is `/#/table/friday`, and the view is given `table`. */
  path: string;
  /** The word for its title, from the shell's catalogue. */
  title: string;
  /** The folder whose `en.ftl` it speaks. */
  words: string;
  /** Whether the header leads to it. */
  nav?: boolean;
  // Views take the names of their path as properties, each its own.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  load: () => Promise<{ default: Component<any> }>;
  /** Whether it needs Passline on a computer, for others to come to or to work out: a table from a link has none of it. */
  computer?: boolean;
}

/** Whether the whole table runs in this browser, where nobody else can come to it. */
export const ALONE = "alone" in document.documentElement.dataset;

const EVERY: View[] = [
  { path: "lobby", title: "view-lobby", words: "around", nav: true, load: () => import("./around/Lobby.svelte") },
  { path: "houses", title: "view-houses", words: "around", load: () => import("./around/Houses.svelte") },
  { path: "host", computer: true, title: "view-host", words: "around", load: () => import("./around/Host.svelte") },
  {
    path: "join/:link",
    computer: true,
    title: "view-join",
    words: "around",
    load: () => import("./around/Join.svelte"),
  },
  { path: "learn", title: "view-learn", words: "around", load: () => import("./around/Learn.svelte") },
  { path: "learn/:lesson", title: "view-learn", words: "around", load: () => import("./around/Learn.svelte") },
  { path: "replay", title: "view-replay", words: "around", load: () => import("./around/Replay.svelte") },
  { path: "replay/:record", title: "view-replay", words: "around", load: () => import("./around/Replay.svelte") },
  {
    path: "replay/table/:table",
    title: "view-replay",
    words: "around",
    load: () => import("./around/Replay.svelte"),
  },
  {
    path: "replay/:record/:from",
    title: "view-replay",
    words: "around",
    load: () => import("./around/Replay.svelte"),
  },
  {
    path: "replay/table/:table/:range",
    title: "view-replay",
    words: "around",
    load: () => import("./around/Replay.svelte"),
  },
  { path: "fair", title: "view-fair", words: "around", load: () => import("./around/Fair.svelte") },
  { path: "fair/:table", title: "view-fair", words: "around", load: () => import("./around/Fair.svelte") },
  { path: "night", computer: true, title: "view-night", words: "night", load: () => import("./night/Night.svelte") },
  {
    path: "night/:part",
    computer: true,
    title: "view-night",
    words: "night",
    load: () => import("./night/Night.svelte"),
  },
  {
    path: "night/table/:table",
    computer: true,
    title: "view-night",
    words: "night",
    load: () => import("./night/Night.svelte"),
  },
  { path: "box/:table", computer: true, title: "view-box", words: "box", load: () => import("./box/Box.svelte") },
  { path: "school", title: "view-school", words: "school", nav: true, load: () => import("./school/School.svelte") },
  {
    path: "school/:house/:drill/:level/:seed",
    title: "view-school",
    words: "school",
    load: () => import("./school/School.svelte"),
  },
  { path: "table/:table", title: "view-table", words: "table", load: () => import("./table/Table.svelte") },
  { path: "lab", computer: true, title: "view-lab", words: "lab", nav: true, load: () => import("./lab/Lab.svelte") },
  { path: "lab/ask/:asked", computer: true, title: "view-lab", words: "lab", load: () => import("./lab/Lab.svelte") },
  { path: "lab/house", computer: true, title: "view-lab", words: "lab", load: () => import("./lab/House.svelte") },
  { path: "me", title: "view-me", words: "around", nav: true, load: () => import("./around/Me.svelte") },
];

export const VIEWS = EVERY.filter((view) => !(ALONE && view.computer));
