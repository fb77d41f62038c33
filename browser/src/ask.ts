/** The service, typed by its own description: every answer is what OpenAPI says, every problem is raised as one. */

import type { components, paths } from "./api";

export type Shape<K extends keyof components["schemas"]> = components["schemas"][K];

type Method = "get" | "post" | "delete";
type At<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths];
type Json<C> = C extends { content: { "application/json": infer J } } ? J : undefined;
type Answer<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer R }
  ? R extends { 200: infer C }
    ? Json<C>
    : R extends { 201: infer C }
      ? Json<C>
      : R extends { 202: infer C }
        ? Json<C>
        : undefined
  : never;
type Body<P extends keyof paths> = paths[P]["post"] extends {
  requestBody?: { content: { "application/json": infer B } };
}
  ? B
  : undefined;
type Names = Record<string, string | number>;

/** What went wrong: the code for programs, the sentence for people, the clause of the house where there is one. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly clause: string | null,
    readonly more: Record<string, unknown>,
  ) {
    super(detail);
  }
}

/** The address of a route: `/tables/{table}/seat` with its names filled in; others become the query. */
export function address(path: string, names: Names = {}): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(names)) {
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size ? `${filled}?${query}` : filled;
}

/** A name for an act, new each time; asked again under it, it is done once. */
export function newKey(): string {
  return crypto.randomUUID
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");
}

async function send(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const asked: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) asked.body = JSON.stringify(body);
  let answer: Response;
  try {
    answer = await fetch(url, asked);
  } catch {
    throw new Problem(0, "network", "", null, {});
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({}))) as Partial<Shape<"ProblemDetails">>;
  throw new Problem(answer.status, told.code ?? "http", told.detail ?? answer.statusText, told.clause ?? null, told);
}

/** Ask for what a route shows: `get("/tables/{table}", {table: "friday"})`. */
export async function get<P extends At<"get">>(path: P, names: Names = {}): Promise<Answer<P, "get">> {
  return (await (await send("GET", address(path, names), undefined, {})).json()) as Answer<P, "get">;
}

/** Ask for text, such as a record. */
export async function text(path: At<"get">, names: Names = {}): Promise<string> {
  return (await send("GET", address(path, names), undefined, {})).text();
}

/** Ask for something to be done, under a key: after a cut line it is asked again, and done once. */
export async function post<P extends At<"post">>(
  path: P,
  body: Body<P>,
  names: Names = {},
  given: { key?: string; approval?: string } = {},
): Promise<Answer<P, "post">> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "Idempotency-Key": given.key ?? newKey(),
  };
  if (given.approval) headers["Second-Person"] = given.approval;
  const url = address(path, names);
  for (let tries = 0; ; tries++) {
    try {
      const answer = await send("POST", url, body, headers);
      return (answer.status === 204 ? undefined : await answer.json()) as Answer<P, "post">;
    } catch (problem) {
      const again = problem instanceof Problem && (problem.status === 0 || problem.status === 503);
      if (!again || tries >= 6) throw problem;
      await new Promise((go) => setTimeout(go, 150 * 2 ** tries));
    }
  }
}

/** Take something back: a question, a session. */
export async function remove<P extends At<"delete">>(path: P, names: Names = {}): Promise<void> {
  await send("DELETE", address(path, names), undefined, {});
}
