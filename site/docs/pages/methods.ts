/** The pages of methods and of errors, from the tables that the servers themselves use. */
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
import { code, jsonBlock, link, page, slug, table } from '../markdown.ts';
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

export function errorsPage(): string {
  const reasons = Object.keys(errorTable) as Reason[];
  return page(
    '# Errors',
    'This page says when each error is given, and by which methods.',
    'An error is `{ "code", "message", "data": { "reason", "errors" } }`. Programs switch on `reason`: several reasons share a code. `errors`, where present, lists what is wrong with the input, one sentence each, without its values.',
    table(
      ['Reason', 'Code', 'Message'],
      reasons.map((reason) => [
        link(code(reason), `#${reason}`),
        String(errorTable[reason].code),
        errorTable[reason].message,
      ]),
    ),
    ...reasons.flatMap(errorSection),
  );
}

function errorSection(reason: Reason): string[] {
  const { code: number, message, when } = errorTable[reason];
  const tables = { ...ehrMethods, ...authMethods } as MethodTable;
  const methods = Object.entries(tables).filter(([, spec]) => reasonsOf(spec).includes(reason));
  const given = commonReasons.includes(reason)
    ? 'every call'
    : methods.map(([name]) => code(name)).join(', ');
  return [
    `## ${reason}`,
    `${code(String(number))} ${message}`,
    `Given when ${when}.`,
    `Given by: ${given}. The rules of the interface on errors: ${link('§7', '/interface#7')}.`,
  ];
}
