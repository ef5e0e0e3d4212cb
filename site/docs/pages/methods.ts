/** The page of methods: what each takes and returns, from the tables that the servers themselves use. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import {
  type Access,
  commonReasons,
  type MethodSpec,
  type MethodTable,
  reasonsOf,
} from '#protocol/methods/method-spec.ts';
import { credDescriptions } from '#protocol/methods/openrpc.ts';
import { pathOf } from '#protocol/site.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { code, jsonBlock, page, slug, table } from '../markdown.ts';
import { schemaRows } from './schema-rows.ts';

export function methodsPage(): string {
  return page(
    '# Methods',
    `This page lists the parameters, results, errors and an example of each method. [The interface](/interface#4) says what they are for. For machines: what \`rpc.discover\` returns.`,
    '## Methods of the EHR server',
    index(ehrMethods),
    ...Object.entries(ehrMethods).flatMap(([name, spec]) => method(name, spec, '/1.0-alpha/')),
    '## Methods of the mock authorization server',
    'The interface leaves them open; these are the mock’s own, at `POST /`.',
    index(authMethods),
    ...Object.entries(authMethods).flatMap(([name, spec]) => method(name, spec, '/')),
  );
}

const CALLERS: Readonly<Record<Access, string>> = {
  internal: 'the authorization server, over the internal channel',
  client: 'the client application',
  open: 'anyone',
};

function index(methods: MethodTable): string {
  const rows = Object.entries(methods).map(([name, spec]) => [
    `[${code(name)}](#${slug(name)})`,
    spec.clause,
    CALLERS[spec.access],
    spec.summary,
  ]);
  return table(['Method', 'Where', 'Called by', 'What it does'], rows);
}

function method(name: string, spec: MethodSpec, path: string): string[] {
  const { example, cred } = spec;
  const own = reasonsOf(spec).filter((reason) => !commonReasons.includes(reason));
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: name,
    params: example.params,
    ...(example.cred && { cred: example.cred }),
  };
  return [
    `### ${name}`,
    spec.summary,
    [
      `- Where: ${spec.clause}`,
      `- Called by: ${CALLERS[spec.access]}`,
      `- cred: ${credDescriptions[cred]}`,
    ].join('\n'),
    '**params**',
    members(spec.params),
    '**result**',
    members(spec.result),
    `**errors**, beside [those of every call](/interface#7): ${own.length === 0 ? 'none' : own.map(errorLink).join(', ')}`,
    `**example** (${code(`POST ${path}`)})`,
    jsonBlock(request),
    jsonBlock({ jsonrpc: '2.0', result: example.result, id: '1' }),
  ];
}

function members(schema: MethodSpec['params']): string {
  const rows = schemaRows(schema);
  if (rows.length === 0) return 'An object without members.';
  return table(
    ['Member', 'Type', 'Required', 'Meaning'],
    rows.map((row) => [code(row.name), row.type, row.required ? 'yes' : 'no', row.meaning]),
  );
}

function errorLink(reason: Reason): string {
  return `[${code(reason)}](${pathOf.error(reason)}) (${errorTable[reason].code})`;
}
