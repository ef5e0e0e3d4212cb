/** The tables of `docs/files.md` on the site: each key of the three files, from their schemas. */
import type { z } from 'zod';
import { adapterSchema } from '#conformance/roles/auth-server/adapter/file/schema/schema.ts';
import { clientFileSchema } from '#conformance/roles/client/settings.ts';
import { ehrFileSchema } from '#conformance/roles/ehr-server/settings.ts';
import { code, table } from '../markdown.ts';
import { type SchemaRow, schemaRows } from './schema-rows.ts';

/** The line of `docs/files.md` in whose place the tables stand on the site. */
const PLACE = '<!-- every key -->';

/** Keys that say the same as another one, which is in the table. */
const REPEATED = /^(?:people\.(?:ambiguous|inactive)\.|browser\.actions\.(?!signIn)\w+\[\]\.)/;

/** Returns the page with the tables of all keys. Throws when the page has no place for them. */
export function withKeys(page: string): string {
  if (!page.includes(PLACE)) throw new Error(`The page has no line ${PLACE}.`);
  return page.replace(PLACE, () => tablesOfKeys());
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
    '`people.ambiguous` and `people.inactive` are one patient each, with the keys of `people.matching`.',
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
