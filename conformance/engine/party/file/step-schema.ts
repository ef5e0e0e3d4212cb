/**
 * The schema of one step in an adapter file, such as a sign-in. It says how the kit performs the step: as a
 * JSON-RPC call, as another HTTP request, or through a person (`manual`). A server may lack it (`absent`).
 */
import { z } from 'zod';
import {
  anyText,
  headerName,
  headers,
  inReports,
  path,
  pattern,
  pointer,
  type ReadEnv,
  secret,
  section,
  text,
  url,
} from './fields.ts';

const extraction = z
  .union([
    pointer.describe('A JSON Pointer into the answer'),
    section({
      header: headerName.describe('A header of the answer'),
      pattern: pattern.optional().describe('What of it is taken: the first group, or all that matches'),
    }),
    section({ cookie: headerName.describe('A cookie that the answer sets, by its name') }),
    section({
      jwt: pointer.describe('A JSON Pointer to a JSON Web Token in the answer'),
      claim: text.describe('The claim of it, such as sub'),
    }),
    section({ value: text.describe('A template, where the value follows from what was sent') }),
    section({
      pattern: pattern.describe('Finds it in the text of the answer: the first group, or all that matches'),
    }),
  ])
  .meta({ id: 'place' });

const extract = section({
  user: extraction.optional().describe('The user id; confirmOtp must yield it'),
  token: extraction.optional().describe('The session token; confirmOtp must yield it'),
  ttl: extraction.optional().describe('The lifetime of the session'),
  exchangeToken: extraction.optional().describe('The exchange token; exchangeToken must yield it'),
})
  .optional()
  .describe('Where in the answer the values stand that the step yields');

const keep = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be a name of letters and digits'),
    extraction,
    'must be a section of names and places',
  )
  .optional()
  .describe('Further values that later steps need: each is known there as ${keep.NAME}');

/** Where a request goes, and its headers. */
function addressed(readEnv: ReadEnv) {
  return {
    path: path.optional().describe('Path below server.url'),
    url: url.optional().describe('A whole address instead of a path'),
    headers: headers(readEnv).optional().describe('Headers of the request'),
  };
}

const absent = section({ absent: text.describe('Why the server has no such step, for the report') });

const manual = section({ manual: text.describe('What the person is told to do now, in one sentence') });

const json = z.json('must be a JSON value').meta({ id: 'json' });

const method = z
  .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'must be GET, POST, PUT, PATCH or DELETE')
  .describe('HTTP method');

const bodies = {
  json: json.optional().describe('A JSON body'),
  form: secret(z.record(z.string(), anyText, 'must be a section of fields and texts'))
    .optional()
    .describe('A form-encoded body'),
  body: secret(text).optional().describe('Any other body, as it is sent; its type stands in headers'),
};

function before(readEnv: ReadEnv) {
  return section({ method: method.default('GET'), ...addressed(readEnv), ...bodies, keep })
    .optional()
    .describe('A request that comes first, such as that of a page with a CSRF token, and what it gives');
}

function rpc(readEnv: ReadEnv) {
  return section({
    rpc: text.describe('Method of a JSON-RPC 2.0 call'),
    params: secret(z.union([z.record(z.string(), json), z.array(json)], 'must be a section or a list'))
      .optional()
      .describe('Its parameters; {} unless given'),
    cred: z
      .enum(['session', 'none'], 'must be session or none')
      .optional()
      .describe('session: the call carries cred {user, token}'),
    before: before(readEnv),
    ...addressed(readEnv),
    extract,
    keep,
  });
}

const statuses = z
  .array(z.int().min(200).max(399), 'must be a list of HTTP statuses from 200 to 399')
  .min(1, 'must not be empty')
  .optional();

const refusal = section({
  statuses: statuses.describe('HTTP statuses of a refusal, such as 200 where a page shows the form again'),
  code: pointer.optional().describe('Where a refusal has its code'),
  reason: pointer.optional().describe('Where a refusal has its reason'),
  location: pattern
    .optional()
    .describe('What the Location of a redirect matches when it is a refusal; the first group is its reason'),
  pattern: pattern
    .optional()
    .describe(
      'What the text of an answer with HTTP 2xx matches when it is a refusal; the first group is its reason',
    ),
});

function request(readEnv: ReadEnv) {
  return section({
    method,
    before: before(readEnv),
    ...addressed(readEnv),
    ...bodies,
    extract,
    keep,
    success: section({
      statuses: statuses.describe('HTTP statuses of a success, redirects among them; any 2xx unless given'),
      location: pattern.optional().describe('What the Location of a redirect matches when it is a success'),
      pointer: pointer.optional().describe('A member of the JSON answer that tells success'),
      equals: z
        .union(
          [z.string(), z.number(), z.boolean(), z.null()],
          'must be a text, a number, true, false or null',
        )
        .optional()
        .describe('Its value then; that it is there, unless given'),
    })
      .optional()
      .describe('How a success is told'),
    refusal: refusal.optional().describe('What a refusal says of itself'),
  });
}

export function stepSchema(readEnv: ReadEnv) {
  const step = z.union([absent, manual, rpc(readEnv), request(readEnv)]).meta({ id: 'step' });
  inReports(step, stepText);
  return step;
}

export type ManualStep = z.output<typeof manual>;
export type RpcStep = z.output<ReturnType<typeof rpc>>;
export type RequestStep = z.output<ReturnType<typeof request>>;
export type StepSettings = z.output<ReturnType<typeof stepSchema>>;
export type Extraction = z.output<typeof extraction>;

export const isAbsent = (step: StepSettings): step is z.output<typeof absent> => 'absent' in step;
export const isManual = (step: StepSettings): step is ManualStep => 'manual' in step;
export const isRpc = (step: StepSettings): step is RpcStep => 'rpc' in step;

/** A step for the report: its method and address. The query of the address may be secret and is cut off. */
function stepText(step: StepSettings | undefined): string {
  if (step === undefined) return 'absent: the file does not describe it';
  if (isAbsent(step)) return `absent: ${step.absent}`;
  if (isManual(step)) return 'done by a person';
  const address = (step.url ?? step.path ?? '/').replace(/\?.*$/s, '');
  return isRpc(step) ? `JSON-RPC ${step.rpc} at ${address}` : `${step.method} ${address}`;
}
