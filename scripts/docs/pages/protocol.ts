/** `docs/protocol.md`: the contract as one page, from the tables that the servers themselves use. */
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
import { MAX_BATCH } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { MAX_DEPTH } from '#protocol/wire/json.ts';
import { code, GENERATED, jsonBlock, page, slug, table } from '../markdown.ts';
import { schemaRows } from './schema-rows.ts';

export function protocolPage(): string {
  return page(
    GENERATED,
    '# The protocol',
    'Every call is a JSON-RPC 2.0 message with one more member, `cred`. The methods are described for machines, too: [openrpc.json](openrpc.json), which the EHR server answers to `rpc.discover`. Which tests prove what stands in [the requirements](https://embedded-ehr-harness.github.io/requirements/).',
    '## Transport',
    TRANSPORT,
    '## Order of checks',
    'A call that is wrong in several ways is refused for the first of them, in this order:',
    ORDER.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## Methods of the EHR server',
    NAMES,
    index(ehrMethods),
    ...Object.entries(ehrMethods).flatMap(([name, spec]) => method(name, spec, '/1.0-alpha/')),
    '## Methods of the mock authorization server',
    'The interface leaves them open; these are the mock’s own, at `POST /`.',
    index(authMethods),
    ...Object.entries(authMethods).flatMap(([name, spec]) => method(name, spec, '/')),
    '## Errors',
    'An error is `{ "code", "message", "data": { "reason", "errors" } }`. Programs switch on `reason`: several reasons share a code. `errors`, where present, lists what is wrong with the input, one sentence each, without its values.',
    errors(),
  );
}

const TRANSPORT = [
  '- `POST {base_url}/<api_version>/`, with or without the closing slash. The default version is `1.0-alpha`; configured empty, the endpoint is `{base_url}/`.',
  '- `Content-Type: application/json`, in UTF-8.',
  '- Every outcome of a call is HTTP 200, errors included. A notification (no `id`) is carried out and answered 204 without a body.',
  '- What never reached JSON-RPC has an HTTP status of its own and a JSON body `{ "error": { "status", "reason", "message" } }`: 404 wrong path, 405 not POST, 413 too large, 415 not JSON, 429 too many, 503 too many that are not finished.',
  '- `id` is a number, a string or null. The reply carries it as a string; the setting `--reply-id echo` returns it in the type in which it came.',
  '- Absent `params` and an empty list both mean `{}`; `cred: null` means no `cred`; unknown members are ignored.',
  `- A batch carries 1 to ${MAX_BATCH} calls, carried out and answered in their order.`,
  `- A message is I-JSON (RFC 7493): no member name twice, no unpaired surrogate, no member \`__proto__\`, at most ${MAX_DEPTH} levels deep.`,
  '- CORS: configured origins only, with credentials.',
].join('\n');

const NAMES =
  'The published description of this interface writes `auth.save_auth_info`, `auth.authenticate` and so on. The client library of the field and the interface write `embedded_storage.*`: these names are served, and no others. `gender` counts from 0, as in that description; the list in the client library, which begins at 1, is not used.';

const ORDER = [
  'The body is JSON (`parse_error`) and I-JSON (`invalid_request`).',
  'The envelope is one of JSON-RPC 2.0 (`invalid_request`).',
  'The method is known (`method_not_found`).',
  'The caller’s channel serves it (`access_forbidden`).',
  '`cred` has the shape that the method calls for (`not_authorized`).',
  '`params` are what the method takes (`invalid_params`).',
  '`cred` is verified (`not_authorized`, `session_expired`).',
  'The method itself runs, with reasons of its own.',
];

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
    `**errors**, beside [those of every call](#errors): ${own.length === 0 ? 'none' : own.map(errorLink).join(', ')}`,
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
  return `${code(reason)} (${errorTable[reason].code})`;
}

function errors(): string {
  const tables = { ...ehrMethods, ...authMethods } as MethodTable;
  const rows = (Object.keys(errorTable) as Reason[]).map((reason) => {
    const { code: number, message, when } = errorTable[reason];
    const methods = Object.entries(tables).filter(([, spec]) => reasonsOf(spec).includes(reason));
    const given = commonReasons.includes(reason)
      ? 'every call'
      : methods.map(([name]) => code(name)).join(', ');
    return [code(reason), String(number), message, `When ${when}.`, given];
  });
  return table(['Reason', 'Code', 'Message', 'When', 'Given by'], rows);
}
