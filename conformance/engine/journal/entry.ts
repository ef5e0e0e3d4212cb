/** The journal of a run, in order: what the kit intended and what crossed. Checks read nothing else. */
import { z } from 'zod';
import { type Facts, factsSchema } from './facts.ts';
import { type AnyStepName, faultNames, type StepName } from './names.ts';

export {
  type ClientStepName,
  type EhrStepName,
  type OtherEhrStepName,
  type StepName,
  stepNames,
} from './names.ts';
export type { Facts };

const seq = z.number().int().positive().describe('Place in the order of the run; unique in it.');
/** Some thousand years: with a later time there is no date. */
const MAX_AT_MS = 1e14;
const at = z.number().min(-MAX_AT_MS).max(MAX_AT_MS).describe('Milliseconds since the run began.');
/** The parts of a message before its body are lines: no control character can stand in them. */
const line = z.string().regex(/^[ -~\u00a0-\uffff]*$/, 'it has a control character');
/** A tab may stand in the value of a header. */
const headerValue = z.string().regex(/^[\t -~\u00a0-\uffff]*$/, 'it has a control character');
const headers = z.array(z.tuple([line, headerValue])).describe('In the order in which they crossed.');
/** Empty where the connection broke before the first line had come. */
const method = z.string().regex(/^[\w!#$%&'*+.^`|~-]*$/, 'it is no HTTP method');

/** Any text in a file, of which this version writes its own names. */
const names = <Name extends string>() => z.string() as z.ZodType<string> as z.ZodType<Name>;

/** The parties of a run, and those beside them: `harness` is the kit itself. A role has a name of its own. */
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
    what: z.enum(['unreachable', 'timeout', 'server-error', 'unexpected-answer']),
    detail: z.string(),
  }),
  /** The adapter declares that the server has no such step. */
  z.object({ kind: z.literal('absent') }),
]);

const codeFactsSchema = z.object({
  length: z.number(),
  /** Whether it consists of digits only. */
  digits: z.boolean(),
  /** For digits: the distance from the previous code, modulo the number of possible codes. */
  step: z.number().optional(),
  /** For digits: its tenth of the range of codes, 0 to 9. */
  tenth: z.number().optional(),
  /** What it was derived from, if that was found: the phone, the clock. */
  derived: z.string().optional(),
  /** The generators by which it follows from codes before, if any. */
  follows: z.array(z.string()).optional(),
  /** It was sent to this phone before, and has confirmed nothing since. */
  again: z.literal(true).optional(),
});

/** A scenario begins or ends. A replayed scenario begins again: its earlier attempt is not judged. */
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
  alone: z.literal(true).optional().describe('Nothing else was run meanwhile.'),
});

/** The kit begins to act as the client, until the outcome of this step. */
const stepSchema = z.object({
  kind: z.literal('step'),
  seq,
  at,
  scenario: z.string(),
  /** The end user, by the scenario's name for them. */
  user: z.string(),
  phone: z.string().optional().describe('Pseudonym of the phone of the user.'),
  step: names<AnyStepName>(),
  /** The role of the step in the scenario, by which checks find it. Unique unless repeated on purpose. */
  label: z.string(),
  defect: z.string().optional().describe('The mistake that the step makes on purpose.'),
});

/** How a step ended, as the client saw it. */
const outcomeSchema = z.object({
  kind: z.literal('outcome'),
  seq,
  at,
  scenario: z.string(),
  step: z.number().describe('seq of the step that ended.'),
  result: stepResultSchema,
  took: z.number().describe('Milliseconds.'),
});

/** One HTTP exchange on one link, masked. A call of the server under test names neither scenario nor step. */
const exchangeSchema = z.object({
  kind: z.literal('exchange'),
  seq,
  at,
  endedAt: at,
  scenario: z.string().optional(),
  step: z.number().optional().describe('seq of the step in which the harness sent it.'),
  /** The parties of the message: the caller first. */
  link: z.enum(['client->auth', 'client->ehr', 'auth->ehr', 'auth->sms']),
  request: z.object({ httpVersion: line, method, path: line, headers, body: z.string() }),
  response: z.object({ status: z.number(), headers, body: z.string() }).optional(),
  fault: z.enum(faultNames).optional().describe('The fault that was injected on purpose.'),
  /** What went wrong on the connection, if anything. */
  broke: z.enum(['refused', 'reset', 'closed-early', 'timeout']).optional(),
  facts: factsSchema,
});

/** One entry of the journal, masked. */
export const entrySchema = z.discriminatedUnion('kind', [
  scenarioSchema,
  stepSchema,
  outcomeSchema,
  exchangeSchema,
  /** A count or measurement of the kit beside the wire, such as the number of messages to a phone. */
  z.object({
    kind: z.literal('observation'),
    seq,
    at,
    scenario: z.string(),
    label: z.string(),
    values: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  }),
  /** A one-time code reached the kit. */
  z.object({
    kind: z.literal('code'),
    seq,
    at,
    scenario: z.string(),
    user: z.string(),
    code: z.string().describe('Pseudonym of the code.'),
    facts: codeFactsSchema.describe('What can be told of the code without its value.'),
  }),
  /** The kit itself stood still: it answered nothing for `took` milliseconds until `at`. */
  z.object({ kind: z.literal('silence'), seq, at, took: z.number().describe('Milliseconds.') }),
  /** The server under test came up or went away unrequested; its last lines have no secrets. */
  z.object({
    kind: z.literal('server'),
    seq,
    at,
    event: z.enum(['started', 'died', 'unreachable']),
    ended: z.string().optional(),
    output: z.array(z.string()).optional(),
  }),
  /** What a person did or was told, where a person takes part, and remarks of the kit. */
  z.object({ kind: z.literal('note'), seq, at, scenario: z.string().optional(), text: z.string() }),
]);

export type Entry = z.infer<typeof entrySchema>;
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;
export type ScenarioEntry = EntryOf<'scenario'>;
export type StepEntry = EntryOf<'step'>;
export type OutcomeEntry = EntryOf<'outcome'>;
export type ExchangeEntry = EntryOf<'exchange'>;
export type NoteEntry = EntryOf<'note'>;
export type ObservationEntry = EntryOf<'observation'>;
export type CodeEntry = EntryOf<'code'>;
export type SilenceEntry = EntryOf<'silence'>;
export type ServerEntry = EntryOf<'server'>;
export type Link = ExchangeEntry['link'];
export type FaultName = NonNullable<ExchangeEntry['fault']>;
export type CodeFacts = CodeEntry['facts'];
export type StepResult = OutcomeEntry['result'];
export type Values = Readonly<Record<string, string>>;

/** The party at fault, as far as the journal tells. */
export type Party = z.infer<typeof partySchema>;

/** A step as the journal names it: its scenario and what is done there. */
export type Label = { readonly scenario: string; readonly label: string };

/** An exchange as it crossed, in clear. */
export type RawExchange = Pick<ExchangeEntry, 'link' | 'request' | 'response'> & {
  /** Why it was refused as a request that is not part of the run. */
  stray?: string;
};
