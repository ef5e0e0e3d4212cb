/** The page of settings, and the lists of `docs/files.md`: each key of the three files. */

import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { adapterSchema } from '#conformance/roles/auth-server/adapter/file/schema/schema.ts';
import { clientFileSchema } from '#conformance/roles/client/settings.ts';
import { ehrFileSchema } from '#conformance/roles/ehr-server/settings.ts';
import type { Setting, SettingsTable } from '#service/process/command-line/settings.ts';
import { code, page } from '../markdown.ts';
import { type SchemaRow, schemaRows } from './schema-rows.ts';

type DocumentedProgram = {
  readonly title: string;
  readonly command: string;
  readonly settings: SettingsTable;
};

export function settingsPage(programs: readonly DocumentedProgram[]): string {
  const known = new Set<string>();
  return page(
    '# Settings',
    'This page lists every setting of every program. A setting is a flag and an environment variable. A flag wins over its variable, which wins over the default. Flags follow two hyphens: `npm run ehr -- --port 4100`.',
    ...programs.flatMap(({ title, command, settings }) => [
      `## ${title}`,
      code(command),
      ...Object.values(settings).flatMap((setting) => settingText(setting, known)),
    ]),
  );
}

/** @param known the variables that have an address already: programs share some */
function settingText({ flag, env, default: usual, help, secret }: Setting, known: Set<string>): string[] {
  const anchor = known.has(env) ? '' : ` {#${env.toLowerCase()}}`;
  known.add(env);
  const preset = usual === undefined ? '' : ` Default: ${usual === '' ? 'empty' : code(usual)}.`;
  const kept = secret ? ' Its value is kept secret.' : '';
  return [`### ${code(flag)}${anchor}`, `Variable ${code(env)}.${preset}${kept} Meaning: ${help}.`];
}

/** The line of `docs/files.md` behind which the lists stand. */
const PLACE = '<!-- every key -->';

/** Keys that say the same as another one, which is in the list. */
const REPEATED =
  /^(?:ehr\.tls\.(?:otherName|foreign)\.|people\.(?:ambiguous|inactive(?:\[\])?)\.|browser\.actions\.(?!signIn)\w+\[\]\.)/;

/** Returns the page with new lists of all keys at its end. Throws when it has no place for them. */
export function withKeys(page: string): string {
  if (!page.includes(PLACE)) throw new Error(`The page has no line ${PLACE}.`);
  return `${page.slice(0, page.indexOf(PLACE))}${PLACE}\n\n${listsOfKeys()}\n`;
}

function listsOfKeys(): string {
  const [auth, ehr] = [keysIn(adapterSchema(noEnv)), keysIn(ehrFileSchema(noEnv))];
  const isIn = (rows: readonly SchemaRow[]) => (row: SchemaRow) =>
    rows.some((other) => isDeepStrictEqual(row, other));
  const shared = auth.filter(isIn(ehr));
  const isOfOne = (row: SchemaRow) => !isIn(shared)(row);
  return [
    '### Keys of both servers',
    listOf('server', shared),
    '### Keys of an authorization server',
    listOf('auth-server', auth.filter(isOfOne)),
    '### Keys of an EHR server',
    listOf('ehr-server', ehr.filter(isOfOne)),
    '### Keys of a client',
    listOf('client', keysIn(clientFileSchema(noEnv))),
  ].join('\n\n');
}

const noEnv = () => undefined;

function keysIn(schema: z.ZodType): SchemaRow[] {
  return schemaRows(schema).filter(({ name }) => !REPEATED.test(name));
}

function listOf(role: string, rows: readonly SchemaRow[]): string {
  return rows.map((row) => `- ${keyOf(role, row)}`).join('\n');
}

/** Writes a key that must stand there in bold, and in brackets the value unless given, before other choices. */
function keyOf(role: string, { name, type, required, preset, meaning }: SchemaRow): string {
  const anchor = `${role}-${name.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const linked = `[${code(name)}](#${anchor})`;
  const choices = type.includes('"') ? type.replace('list of ', '').replaceAll('"', '').split(', ') : [];
  const given = typeof preset === 'object' ? [] : [preset ?? ''].filter((value) => value !== '');
  const values = [...new Set([...given, ...choices].map(String))].map(code).join(', ');
  const note = `${values && ` (${values})`}${meaning && `: ${meaning}`}`;
  return `<a id="${anchor}"></a>${required ? `**${linked}**` : linked}${note}`;
}
