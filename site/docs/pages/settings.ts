/** The page of settings, and the tables of `docs/files.md`: each key of the three files. */

import type { z } from 'zod';
import { adapterSchema } from '#conformance/roles/auth-server/adapter/file/schema/schema.ts';
import { clientFileSchema } from '#conformance/roles/client/settings.ts';
import { ehrFileSchema } from '#conformance/roles/ehr-server/settings.ts';
import type { Setting, SettingsTable } from '#service/process/command-line/settings.ts';
import { code, page, table } from '../markdown.ts';
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

/** The line of `docs/files.md` behind which the tables stand. */
const PLACE = '<!-- every key -->';

/** Keys that say the same as another one, which is in the table. */
const REPEATED = /^(?:people\.(?:ambiguous|inactive(?:\[\])?)\.|browser\.actions\.(?!signIn)\w+\[\]\.)/;

/** Returns the page with new tables of all keys at its end. Throws when it has no place for them. */
export function withKeys(page: string): string {
  if (!page.includes(PLACE)) throw new Error(`The page has no line ${PLACE}.`);
  return `${page.slice(0, page.indexOf(PLACE))}${PLACE}\n\n${tablesOfKeys()}\n`;
}

function tablesOfKeys(): string {
  return [
    '### Keys of an authorization server',
    keysOf(
      'auth-server',
      adapterSchema(() => undefined),
    ),
    '### Keys of an EHR server',
    keysOf(
      'ehr-server',
      ehrFileSchema(() => undefined),
    ),
    '`people.ambiguous` is one patient, `people.inactive` one or a list, with the keys of `people.matching`.',
    '### Keys of a client',
    keysOf(
      'client',
      clientFileSchema(() => undefined),
    ),
    'Each list under `browser.actions` has steps as under `signIn`.',
  ].join('\n\n');
}

function keysOf(role: string, schema: z.ZodType): string {
  const rows = schemaRows(schema).filter(({ name }) => !REPEATED.test(name));
  return table(
    ['Key', 'Value', 'Needed', 'Meaning'],
    rows.map((row) => cellsOf(role, row)),
  );
}

function cellsOf(role: string, { name, type, required, meaning }: SchemaRow): string[] {
  const anchor = `${role}-${name.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return [
    `<a id="${anchor}"></a>[${code(name)}](#${anchor})`,
    type
      .replaceAll(/string, \d+ to \d+ characters/g, 'text')
      .replaceAll('object', 'section')
      .replace(/^any$/, 'request'),
    required ? 'yes' : '',
    meaning,
  ];
}
