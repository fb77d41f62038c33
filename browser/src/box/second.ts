/** A second person's approval of an act of two people: given here with a password, or brought as a code. */

import { post, Problem, type Shape } from "../ask";

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

/** Approve, as the second person of another's act; the code counts once. `path` is where approvals of it are given. */
export async function ownApproval(path: string, what: unknown): Promise<string> {
  return (await post(path as "/floor/approvals", what as Shape<"Approval">)).approval;
}

/** Have somebody approve with their own password; they are signed out again at once. */
export async function approvedBy(path: string, what: unknown, name: string, password: string): Promise<string> {
  const { token } = await asOther<Shape<"Arrived">>("POST", "/sessions", "", { name, password });
  try {
    return (await asOther<Shape<"ApprovalView">>("POST", path, token, what)).approval;
  } finally {
    await asOther("DELETE", "/sessions", token);
  }
}
