/** A field of an act as the service describes it (JSON Schema): what a form begins with, and what it sends. */

import type { Shape } from "../ask";
import { say } from "../words";

export type Permissions = Shape<"PermissionsView">;
export type Act = Shape<"ActView">;
export type Pick = Shape<"PickView">;
export type Values = Record<string, unknown>;

/** An amount as it is typed: a comma is no point, and no coin is smaller than a hundredth. */
export const AMOUNT = /^\d+(\.\d{1,2})?$/;

export interface Schema {
  type?: "string" | "integer" | "boolean" | "array" | "object" | "null";
  format?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  $ref?: string;
}

/** A schema without the choice of null. */
export function plain(schema: Schema): Schema {
  return schema.anyOf?.find((each) => each.type !== "null") ?? schema;
}

/** The words that there are for a field, where there are no others. */
export function wordsOf(schema: Schema, choices: string[] | undefined): string[] | undefined {
  const listed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return listed?.map(String) ?? (choices?.length ? choices : undefined);
}

/** What a field begins with: a record with all its fields, a list with one of its kind where it must have one. */
export function blank(schema: Schema, inside = false): unknown {
  const of = plain(schema);
  if (of.type === "boolean") return false;
  if (of.properties)
    return Object.fromEntries(Object.entries(of.properties).map(([name, each]) => [name, blank(each, true)]));
  if (of.prefixItems) return of.prefixItems.map((each) => blank(each, true));
  if (of.type === "array") return [];
  if (of.type === "object") return {};
  if (of.type === "string") return inside && of.enum ? of.enum[0] : "";
  return inside && of.type === "integer" ? 0 : undefined;
}

/** A field's name in words: those of the page where it has its own. */
export const label = (name: string): string => {
  const own = say(`field-${name}`);
  if (own !== `field-${name}`) return own;
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What of a field can be picked, given what is picked beside it. */
export function picksOf(act: Act, name: string, values: Values): Pick[] | undefined {
  if (!act.options.some((each) => name in each)) return undefined;
  const found = new Map<string | number, Pick>();
  for (const option of act.options) {
    const fits = Object.entries(option).every(
      ([other, pick]) => other === name || !isPicked(values[other]) || values[other] === pick.value,
    );
    const pick = option[name];
    if (fits && pick) found.set(pick.value, pick);
  }
  return [...found.values()];
}
const isPicked = (value: unknown): boolean => value !== undefined && value !== "";

/** Who can be told that a table closes. */
export const inspectorsOf = (permissions: Permissions | undefined): Pick[] =>
  (permissions?.acts.find((each) => each.kind === "floor.tell_inspector")?.options ?? []).flatMap(
    (each) => each.inspector ?? [],
  );

/** The act as it is sent: what was left empty and need not be there is left out. */
export function body(act: Act, values: Values): { kind: string } {
  const filled = Object.entries(values).filter(
    ([name, value]) => act.required.includes(name) || (isPicked(value) && value !== null),
  );
  return { kind: act.kind, ...Object.fromEntries(filled) };
}
