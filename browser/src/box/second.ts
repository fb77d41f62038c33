/** A second person's word to an act of two people: given here with a password, or brought as a code. */

import { address, post, Problem, type Shape } from "../ask";

/** The name of the table at which nobody sits: what the whole house decides. */
const HOUSE = "floor";

async function asOther<T>(method: string, path: string, token: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  // Without credentials, so that the one who sits here stays signed in.
  const answer = await fetch(path, {
    method,
    headers,
    credentials: "omit",
    body: body === undefined ? null : JSON.stringify(body),
  });
  const told = (answer.status === 204 ? {} : await answer.json().catch(() => ({}))) as T &
    Partial<Shape<"ProblemDetails">>;
  if (!answer.ok)
    throw new Problem(answer.status, told.code ?? "http", told.detail ?? answer.statusText, told.clause ?? null, {});
  return told;
}

/** What the second person's word is to: the whole act, and no other. */
export type Asked = { kind: string };

/** Give one's own word, as the second person of another's act; the code counts once. */
export async function ownWord(table: string, act: Asked): Promise<string> {
  const body = { what: act.kind, act };
  return (await (table === HOUSE ? post("/floor/assents", body) : post("/tables/{table}/assents", body, { table })))
    .assent;
}

/** Have somebody agree with their own password; they are signed out again at once. */
export async function agreed(table: string, act: Asked, name: string, password: string): Promise<string> {
  const { token } = await asOther<Shape<"Arrived">>("POST", "/sessions", "", { name, password });
  try {
    return (
      await asOther<Shape<"AssentView">>(
        "POST",
        table === HOUSE ? "/floor/assents" : address("/tables/{table}/assents", { table }),
        token,
        { what: act.kind, act },
      )
    ).assent;
  } finally {
    await asOther("DELETE", "/sessions", token);
  }
}
