/** A field of an act as the service describes it (JSON Schema), as a form asks for it, and what was typed as JSON again. */

export interface Field {
  type: "string" | "integer" | "boolean" | "array" | "object";
  required: boolean;
  /** The words to choose from, where there are no others. */
  words?: string[];
  /** Of a list: whether its members are numbers. */
  numbers?: boolean;
}

interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  $ref?: string;
}

/** What kind of field it is. */
export function fieldOf(shape: unknown, choices: string[] | undefined, required: boolean): Field {
  const whole = shape as Schema;
  const schema = whole.anyOf?.find((each) => each.type !== "null") ?? whole;
  const listed = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const]))?.map(String);
  const type = (schema.$ref ? "object" : (schema.type ?? "string")) as Field["type"];
  const words =
    type === "boolean" ? ["true", "false"] : (listed ?? (type === "string" && choices?.length ? choices : undefined));
  return { type, required, ...(words ? { words } : {}), numbers: schema.items?.type === "integer" };
}

/** What was typed; undefined where nothing was. */
export function valueOf(field: Field, typed: string): unknown {
  const text = String(typed).trim();
  if (!text) return field.required && field.type === "string" ? "" : undefined;
  if (field.type === "integer") return Number(text);
  if (field.type === "boolean") return text === "true";
  if (field.type === "array") return text.split(",").map((part) => (field.numbers ? Number(part) : part.trim()));
  if (field.type === "object") return JSON.parse(text);
  return text;
}
