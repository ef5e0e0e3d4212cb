/** `docs/file-keys.md`: each key of the files about an EHR server and about a client, from their schemas. */
import type { z } from 'zod';
import { clientFileSchema } from '#conformance/roles/client/settings.ts';
import { ehrFileSchema } from '#conformance/roles/ehr-server/settings.ts';
import { code, GENERATED, page, table } from '../markdown.ts';
import { type SchemaRow, schemaRows } from './schema-rows.ts';

/** Keys that say the same as another one, which is in the table. */
const REPEATED = /^(?:people\.(?:ambiguous|inactive)\.|browser\.actions\.(?!signIn)\w+\[\]\.)/;

export function fileKeysPage(): string {
  return page(
    GENERATED,
    '# Keys of the files about an EHR server and a client',
    'The file about an authorization server has [a page of its own](adapter-file.md). The files for the two other roles are YAML or JSON, too. A key that is not known, or a value of another form, is told with line and column. Where a text may be a section instead, `{ env: NAME }` takes it from the environment.',
    '## The file about an EHR server',
    `[The way to a first verdict](for-ehr-servers.md). In \`server.start\`, and in the requests under \`control\`, these are replaced: \`\${node}\` by the Node that runs the kit, \`\${ports.NAME}\` by a port under \`ports\`, \`\${internalUser}\` and \`\${internalPassword}\` by the values under \`internal\`, \`\${folder}\` by an empty folder that lives as long as the run, and \`\${milliseconds}\` by the time that the clock is to move. A program that the kit starts has the environment of the kit, and \`server.start.env\` beside it.`,
    keysOf(ehrFileSchema(() => undefined)),
    `\`people.ambiguous\` and \`people.inactive\` are one patient each, with the same keys as in \`people.matching\`. \`control.advanceClock\` and \`control.restart\` are requests as [the steps of an authorization server](adapter-file.md#steps): \`{ method: POST, url: "http://127.0.0.1:4101/clock", json: { advance: "\${milliseconds}" } }\`.`,
    '## The file about a client',
    `[The way to a first verdict](for-clients.md). It has one of the sections \`client\`, \`browser\` and \`person\`. Replaced are \`\${authUrl}\` and \`\${ehrUrl}\` by the addresses of the kit, without the version segment, \`\${storage}\` by a path that is the same for each start of one scenario, \`\${node}\` by the Node that runs the kit, and \`\${port}\` by the port of the page.`,
    keysOf(clientFileSchema(() => undefined)),
    'Each list under `browser.actions` has steps as under `signIn`.',
  );
}

function keysOf(schema: z.ZodType): string {
  const rows = schemaRows(schema).filter(({ name }) => !REPEATED.test(name));
  return table(['Key', 'Value', 'Needed', 'Meaning'], rows.map(cellsOf));
}

const cellsOf = ({ name, type, required, meaning }: SchemaRow): string[] => [
  code(name),
  type
    .replaceAll(/string, \d+ to \d+ characters/g, 'text')
    .replaceAll('object', 'section')
    .replace(/^any$/, 'request'),
  required ? 'yes' : '',
  meaning,
];
