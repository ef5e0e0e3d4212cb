/**
 * The schemas of single values in a party's file. Each has the message that a wrong value gets. Marks say
 * which values a report shows: all others may be secret, and stay out of it.
 */
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { isObject } from '#protocol/wire/envelope.ts';
import { POINTER } from '../requests/json.ts';
import { possibleHere } from './problem.ts';

/** The environment variables of the kit. An adapter file may take values from them by `env: NAME`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Reads an environment variable; undefined: it is not set. `secret`: no error may show its value. */
export type ReadEnv = (name: string, secret: boolean) => string | undefined;

const SECRETS = z.registry<{ secret: true }>();

/** A copy of a row whose value no error shows, nor that of any row inside it. */
export function secret<Row extends z.ZodType>(row: Row): Row {
  const copy = row.clone();
  SECRETS.add(copy, { secret: true });
  return copy;
}

/** A copy of a secret row, such as one with a description, is secret too. */
export const isSecret = (row: z.core.$ZodType): boolean => SECRETS.get(row) !== undefined;

/** The row of a value that may be left out. */
export function givenRow(row: z.core.$ZodType): z.core.$ZodType | undefined {
  return row instanceof z.ZodOptional || row instanceof z.ZodDefault || row instanceof z.ZodPrefault
    ? row.unwrap()
    : undefined;
}

export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? // One sentence for each key, in lines: read-settings.ts makes a problem of each line.
          issue.keys.map(() => `is not known here. ${possibleHere(known)}`).join('\n')
        : 'must be a section of keys and values',
  });
}

/** Text that may be empty. */
export const anyText = z.string('must be text').max(10_000, 'must be shorter');

export const text = anyText.min(1, 'must not be empty');

type EnvUse = { secret: boolean; template?: boolean };

export function textOrEnv(readEnv: ReadEnv, use: EnvUse) {
  const row = z.union([text, fromEnv(readEnv, use)]);
  return use.secret ? secret(row) : row;
}

/** `{ env: NAME }`, replaced by the variable's value. */
export function fromEnv(readEnv: ReadEnv, { secret, template = false }: EnvUse) {
  const reference = section({
    env: variableName.describe('Name of the environment variable that holds the value'),
  });
  return reference.transform(({ env }, context) => {
    const value = readEnv(env, secret);
    // The value of a variable is no template: a `${` in it is escaped.
    if (value !== undefined && value !== '') return template ? value.replaceAll('${', () => '$${') : value;
    const state = value === undefined ? 'is not set' : 'is set, but empty';
    const message = `names the environment variable ${env}, which ${state}. Please set it.`;
    context.issues.push({ code: 'custom', message, params: COMPLETE, input: env });
    return z.NEVER;
  });
}

/** Marks a message that is a whole sentence, so that the wrong value is not added to it. */
export const COMPLETE = { complete: true } as const;

export const variableName = z
  .string('must be text')
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

export function environment(readEnv: ReadEnv) {
  const value = z.union([anyText, fromEnv(readEnv, { secret: true, template: true })]);
  return secret(z.record(variableName, value, 'must be a section of variables and values'));
}

/** A program and its arguments. */
export function command(argument = anyText) {
  const row = z.array(argument, 'must be a list of texts').min(1, 'must name a program');
  return secret(row.refine(([program]) => program !== '', 'must name a program'));
}

/** For the published schema: exactly one of these keys must be given. `choiceProblems` enforces it. */
export function exactlyOne(...keys: string[]) {
  return { oneOf: keys.map((key) => ({ type: 'object', properties: { [key]: {} }, required: [key] })) };
}

export const switchValue = z.boolean('must be true or false');

export function whole(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z.int(sentence).min(min, sentence).max(max, sentence);
}

export const milliseconds = whole(1, 3_600_000);

/** A port; 0: the system chooses a free one. */
export const port = whole(0, 65_535);

const HOST = 'must be a host name or an address';

/** A host name or an IP address. An IPv6 address may stand in brackets, as in a URL; they are removed. */
export const host = text
  .overwrite((address) => address.replace(/^\[(.*)\]$/, '$1'))
  .regex(/^[A-Za-z0-9.:-]+$/, HOST)
  .refine((value) => !value.includes(':') || isIPv6(value), `${HOST}, without scheme and port`);

export const baseUrl = text.refine(
  (value) => isUrl(value) && !value.includes('?'),
  'must be an http or https address without user, query and fragment, such as http://127.0.0.1:8080',
);

export const url = text.refine(
  isUrl,
  'must be a whole http or https address, such as http://127.0.0.1:8080/clock',
);

/** A path below the base URL of the server. */
export const path = text.regex(
  /^\/[^\s#]*$/,
  'must be a path that begins with a slash, without spaces and #',
);

/** A JSON Pointer (RFC 6901), which names a member of a JSON answer. */
export const pointer = z
  .string('must be text')
  .max(500, 'must be shorter')
  .regex(POINTER, 'must be a JSON Pointer such as /result/token');

/** A regular expression. The value is its first group, or the whole match when it has none. */
export const pattern = text
  .max(500, 'must be shorter')
  .refine(isRegExp, 'must be a regular expression of JavaScript');

export const headerName = z
  .string('must be text')
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header');

export function headers(readEnv: ReadEnv) {
  const value = textOrEnv(readEnv, { secret: true, template: true });
  return secret(z.record(headerName, value, 'must be a section of header names and values'));
}

function isUrl(value: string): boolean {
  // A digit in place of each template is valid in a port, a host and a path.
  const plain = value.replaceAll(/\$\{[^}]*\}/g, '1');
  if (!/^https?:\/\/[^\s#]+$/i.test(plain) || !URL.canParse(plain)) return false;
  const { username, password } = new URL(plain);
  return username === '' && password === '';
}

function isRegExp(value: string): boolean {
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The rows that a report shows, each with how it shows the value; undefined leaves it out. */
const SHOWN = new WeakMap<z.core.$ZodType, (value: unknown) => unknown>();

/** Marks this row of a schema: a report shows its value, as it is or in the words of `how`. */
export function inReports<Schema extends z.ZodType>(
  schema: Schema,
  how: (value: z.output<Schema>) => unknown = (value) => value,
): Schema {
  SHOWN.set(schema, how as (value: unknown) => unknown);
  return schema;
}

/** What a report shows of the settings of a file, under their keys there. */
export function configurationOf(
  fileSchema: (readEnv: ReadEnv) => z.ZodType,
  settings: object,
): Record<string, unknown> {
  const schema = fileSchema(() => undefined);
  return Object(reported(schema, settings));
}

function reported(schema: z.core.$ZodType, settings: unknown): unknown {
  const how = SHOWN.get(schema);
  if (how) return how(settings);
  const given = givenRow(schema);
  if (given) return reported(given, settings);
  if (!(schema instanceof z.ZodObject) || !isObject(settings)) return undefined;
  const values = Object.entries(schema.shape).map(
    ([key, row]) => [key, reported(row, settings[key])] as const,
  );
  const shown = values.filter(([, value]) => value !== undefined);
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}
