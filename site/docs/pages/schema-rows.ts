/** Turns a zod schema into the rows of a table: one for each member, including those of nested objects. */
import type { z } from 'zod';
import { jsonSchema } from '#protocol/methods/openrpc.ts';

/** One member: for example `authInfo.ttl`, `integer, 1 or more`, whether it is required, and its meaning. */
export type SchemaRow = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** The value where none is given. */
  readonly preset: unknown;
  readonly meaning: string;
};

type JsonSchema = {
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

export function schemaRows(schema: z.ZodType): SchemaRow[] {
  return rowsOf(jsonSchema(schema) as JsonSchema, '');
}

function rowsOf(schema: JsonSchema, prefix: string): SchemaRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    const required = schema.required?.includes(key) ?? false;
    const { description: meaning = '', default: preset } = member;
    const row = { name, type: typeOf(member), required, preset, meaning };
    return [row, ...rowsOf(member, `${name}.`), ...rowsOf(member.items ?? {}, `${name}[].`)];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return unique(schema.anyOf.map(typeOf)).join(' or ');
  if (schema.enum) return unique(schema.enum.map((value) => JSON.stringify(value))).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return [`${schema.type ?? 'any'}${schema.format ? ` (${schema.format})` : ''}`, bounds(schema)]
    .filter(Boolean)
    .join(', ');
}

/** Safe integers, which zod adds, and a text that may not be empty are no bounds to tell. */
function bounds({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER) return '';
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? `${minimum} or more`
    : `${minimum} to ${maximum}`;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
