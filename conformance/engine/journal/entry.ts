/**
 * The form of the journal: the entries that a run records, in order. They say what the kit intended
 * (scenarios, steps) and which messages the parties exchanged. Checks judge by the journal alone.
 */
import { z } from 'zod';
import type { Reason } from '#protocol/wire/errors.ts';
import { type AnyStepName, faultNames, type StepName } from './names.ts';

export {
  type EhrStepName,
  type OtherEhrStepName,
  type PersonStepName,
  type StepName,
  stepNames,
} from './names.ts';

const seq = z.number().int().positive().describe('Place in the order of the run; unique in it.');
/** Some thousand years. JavaScript has no date for a much later time, so a report could not show it. */
const MAX_AT_MS = 1e14;
const at = z.number().min(-MAX_AT_MS).max(MAX_AT_MS).describe('Milliseconds since the run began.');
/** A part of a message before its body, such as the path. HTTP allows no control character in it. */
const line = z.string().regex(/^[ -~\u00a0-\uffff]*$/, 'it has a control character');
/** A tab may stand in the value of a header. */
const headerValue = z.string().regex(/^[\t -~\u00a0-\uffff]*$/, 'it has a control character');
const headers = z.array(z.tuple([line, headerValue])).describe('In the order in which they crossed.');
const cut = z.number().optional().describe('Characters cut from the end of the body; run.json has them.');
const method = z.string().regex(/^[\w!#$%&'*+.^`|~-]*$/, 'it is no HTTP method');

/** Any text in a file, because another version may know other names. The type lists those of this version. */
const names = <Name extends string>() => z.string() as z.ZodType<string> as z.ZodType<Name>;

/**
 * A name that a finding may blame: of a party, `harness` for the kit itself, or `environment` for the
 * machine and the network. Each role defines the name of its party.
 */
export const partySchema = z.string();

export const stoppedSchema = z
  .object({ because: z.string(), blame: partySchema })
  .describe('Why a scenario could not go all its way.');

const stepResultSchema = z.discriminatedUnion('kind', [
  /** The step achieved its purpose. Tokens and codes among its values are pseudonyms in the journal. */
  z.object({ kind: z.literal('done'), values: z.record(z.string(), z.string()) }),
  /** A refusal that a client can understand: an HTTP status 4xx, or a JSON-RPC error. */
  z.object({
    kind: z.literal('refused'),
    status: z.number(),
    code: z.string().optional(),
    reason: z.string().optional(),
  }),
  /** Neither done nor refused: no answer, HTTP 5xx, or a success that lacks required values. */
  z.object({
    kind: z.literal('failed'),
    what: z.enum(['unreachable', 'ended', 'timeout', 'server-error', 'unexpected-answer']),
    detail: z.string(),
  }),
  /** The adapter declares that the server has no such step. */
  z.object({ kind: z.literal('absent') }),
]);

const codeFactsSchema = z.object({
  length: z.number(),
  digits: z.boolean(),
  /** For digits: the distance from the previous code, modulo the number of possible codes. */
  step: z.number().optional(),
  /** For digits: its tenth of the range of codes, 0 to 9. */
  tenth: z.number().optional(),
  /** From what the code was derived, if that was found: the phone, or the clock. */
  derived: z.string().optional(),
  /** The same code was sent to this phone before, and has confirmed no sign-in since. */
  again: z.literal(true).optional(),
});

/** A scenario begins or ends. It may begin again in one run: then only the last attempt is judged. */
const scenarioSchema = z.object({
  kind: z.literal('scenario'),
  seq,
  at,
  scenario: z.string(),
  phase: z.enum(['begin', 'end']),
  stopped: stoppedSchema.optional(),
  absent: z
    .array(names<StepName>())
    .optional()
    .describe('Steps for want of which the scenario was not played.'),
  notPlayable: z.string().optional().describe('What the set-up lacks for the scenario.'),
  alone: z
    .literal(true)
    .optional()
    .describe('Nothing else was run meanwhile but scenarios that wait for the end of a code.'),
});

/** What must come of a step. The words of `must` are those of the role. */
const expectsSchema = z.object({
  must: z.string(),
  check: z.string().optional().describe('The check that judges it. Without it, each check of the scenario.'),
  isControl: z
    .literal(true)
    .optional()
    .describe('Where it fails, the other steps of the scenario prove nothing.'),
  words: z.string().optional().describe('What must come, in the words of reports.'),
  nothingSent: z.literal(true).optional().describe('No call may reach the EHR server in it.'),
  reason: names<Reason>().optional().describe('The reason by which the step must be refused.'),
  status: z.number().optional().describe('The HTTP status that must come.'),
  screens: z.array(z.string()).optional().describe('The screens to one of which it must lead.'),
  where: z.string().optional().describe('The step counts only if this method was called or refused in it.'),
});

/** The kit begins a step, an action of a scenario. The step lasts until the outcome entry that names it. */
const stepSchema = z.object({
  kind: z.literal('step'),
  seq,
  at,
  scenario: z.string(),
  user: z.string(),
  phone: z.string().optional().describe('Pseudonym of the phone of the user.'),
  step: names<AnyStepName>(),
  /** What the step is for in the scenario. Checks find the step by it. Steps with one purpose share it. */
  label: z.string(),
  defect: z.string().optional().describe('The mistake that the step makes on purpose.'),
  expects: z.array(expectsSchema).optional(),
  code: z
    .string()
    .optional()
    .describe('Pseudonym of the code that the step types in, where it came to a phone.'),
});

const outcomeSchema = z.object({
  kind: z.literal('outcome'),
  seq,
  at,
  scenario: z.string(),
  step: z.number().describe('seq of the step that ended.'),
  result: stepResultSchema,
  took: z.number().describe('Milliseconds.'),
});

/** Key: the name of a member. Value: the JSON type of its value; a whole number is `integer`. */
const types = z.record(z.string(), z.string());
const texts = z.array(z.string());

const callSchema = z.object({
  method: z.string(),
  /** `string`, `number`, `null`, `absent`, or a JSON type that is not allowed. */
  idType: z.string(),
  /** The id as JSON text, cut after 80 characters; absent when there is none or it is null. */
  id: z.string().optional(),
  jsonrpc: z.string(),
  params: types,
  authInfo: types.optional(),
  cred: types.optional(),
  /** From here on values, and not types. Tokens and users are pseudonyms. */
  exchangeToken: z.string().optional(),
  user: z.string().optional(),
  /** In words: from which value of others the user id follows, such as the hash of a phone. */
  userIs: z.string().optional(),
  token: z.string().optional(),
  /** In minutes. */
  ttl: z.number().optional(),
  /** The signature that a client sends among params; `unknown`: the EHR server never gave out this text. */
  userSign: z.string().optional(),
});

const digestSchema = z.object({
  length: z.number(),
  lowercaseHex: z.boolean(),
  /** Whether cred.user is the user name by which the authorization server logs in to the EHR server. */
  rightUser: z.boolean(),
  /** Whether cred.user is the end user of authInfo: this is a fault and not a wrong setting. */
  isEndUser: z.literal(true).optional(),
  /** The secret over which the digest was computed: its owner, and its pseudonym if it is a signature. */
  over: z
    .object({ kind: z.enum(['exchange-token', 'user-sign']), owner: z.string(), sign: z.string().optional() })
    .optional(),
  /** For a wrong digest: the common mistake that gives this digest, if one was found. */
  explained: z.string().optional(),
});

const freshSchema = z.object({
  kind: z.enum(['session-token', 'exchange-token']),
  length: z.number(),
  /** An upper bound of the entropy in bits, from all tokens of the run; 0 until the entry is masked. */
  bits: z.number(),
  /** From what the token was derived, if that was found; then `bits` is 0. */
  source: z.string().optional(),
});

const factsSchema = z
  .object({
    call: callSchema.optional(),
    reply: z
      .object({
        result: z.boolean(),
        code: z.number().optional(),
        reason: z.string().optional(),
        /** The lifetime of the session that a sign-in began, in minutes. */
        ttl: z.number().optional(),
      })
      .optional(),
    /** The user is linked with a patient by `sign`, as the EHR server's reply shows; without it no longer. */
    link: z.object({ user: z.string(), sign: z.string().optional() }).optional(),
    /** The digest in cred.token, when the call carries one. */
    digest: digestSchema.optional(),
    /** Secrets in clear where they must not be, in words: "the internal password in header authorization". */
    inClear: texts.optional(),
    /** Tokens of the call that stand outside its body, in words: "the session token in the path". */
    besideBody: texts.optional(),
    /** Patient data that was found, with place and form, in words: "surname in the body, base64". */
    patientData: texts.optional(),
    /** Secrets in an answer to a client that must not get them, with place and form, in words. */
    toClient: texts.optional(),
    /** Why the request is no request of the server under test. Such a request is listed and not judged. */
    stray: z.string().optional(),
    /** Tokens that no earlier exchange of the run had. Key: the pseudonym of the token. */
    fresh: z.record(z.string(), freshSchema).optional(),
  })
  .describe('What was known of the exchange while its values were in clear.');

/** One HTTP exchange between two parties, masked. A call of the server under test names no step. */
const exchangeSchema = z.object({
  kind: z.literal('exchange'),
  seq,
  at,
  endedAt: at,
  scenario: z.string().optional(),
  step: z.number().optional().describe('seq of the step in which the harness sent it.'),
  /** The connection that the message took: the caller first. It is no link of a user with a patient. */
  link: z.enum(['client->auth', 'client->ehr', 'auth->ehr', 'auth->sms']),
  request: z.object({ httpVersion: line, method, path: line, headers, body: z.string(), cut }),
  response: z.object({ status: z.number(), headers, body: z.string(), cut }).optional(),
  fault: z.enum(faultNames).optional().describe('The fault that was injected on purpose.'),
  broke: z.enum(['refused', 'reset', 'closed-early', 'timeout']).optional(),
  trace: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'it is no trace id')
    .optional()
    .describe('W3C trace id of the request: a server with OpenTelemetry shows its span under it.'),
  facts: factsSchema,
});

/** One entry of the journal, masked: secrets and patient data are replaced by pseudonyms. */
export const entrySchema = z.discriminatedUnion('kind', [
  scenarioSchema,
  stepSchema,
  outcomeSchema,
  exchangeSchema,
  /** What the kit counted or measured itself, such as the number of messages to a phone. */
  z.object({
    kind: z.literal('observation'),
    seq,
    at,
    scenario: z.string(),
    label: z.string(),
    values: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  }),
  /** A one-time code, which the server under test sent to a phone, reached the kit. */
  z.object({
    kind: z.literal('code'),
    seq,
    at,
    scenario: z.string(),
    user: z.string(),
    code: z.string().describe('Pseudonym of the code.'),
    facts: codeFactsSchema.describe('What can be told of the code without its value.'),
  }),
  /** The kit's own event loop stood still: the kit answered nothing for `took` milliseconds until `at`. */
  z.object({ kind: z.literal('silence'), seq, at, took: z.number().describe('Milliseconds.') }),
  /** The server under test started, died or could not be reached. `output` is its last lines, masked. */
  z.object({
    kind: z.literal('server'),
    seq,
    at,
    event: z.enum(['started', 'died', 'unreachable']),
    ended: z.string().optional(),
    outside: z.boolean().optional().describe('Another program than the kit started the server again.'),
    output: z.array(z.string()).optional(),
  }),
  /** A remark of the kit, or what a person who takes part did or was asked to do. */
  z.object({ kind: z.literal('note'), seq, at, scenario: z.string().optional(), text: z.string() }),
]);

export type Entry = z.infer<typeof entrySchema>;
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;
export type ScenarioEntry = EntryOf<'scenario'>;
export type StepEntry = EntryOf<'step'>;
export type Expects = NonNullable<StepEntry['expects']>[number];
export type OutcomeEntry = EntryOf<'outcome'>;
export type ExchangeEntry = EntryOf<'exchange'>;
export type NoteEntry = EntryOf<'note'>;
export type ObservationEntry = EntryOf<'observation'>;
export type CodeEntry = EntryOf<'code'>;
export type SilenceEntry = EntryOf<'silence'>;
export type ServerEntry = EntryOf<'server'>;
export type Link = ExchangeEntry['link'];
export type FaultName = NonNullable<ExchangeEntry['fault']>;
export type Facts = z.infer<typeof factsSchema>;
export type CodeFacts = CodeEntry['facts'];
export type StepResult = OutcomeEntry['result'];
/** What a step yielded, such as `token`. Key: the name of the value. */
export type Values = Readonly<Record<string, string>>;

/** The party at fault, as far as the journal tells. */
export type Party = z.infer<typeof partySchema>;

export type Label = { readonly scenario: string; readonly label: string };

/** An exchange with its secrets in clear, before it is masked. */
export type RawExchange = Pick<ExchangeEntry, 'link' | 'request' | 'response'> & {
  /** Why the kit refused the request: it came from a program that is no party of the run. */
  stray?: string;
};
