/** The schema of journal entries: a file is shown only after it, and programs read a report by it. */
import { z } from 'zod';
import { type CodeFacts, faultNames } from './entry.ts';
import { factsSchema } from './facts-schema.ts';

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

export const partySchema = z.enum(['auth server', 'EHR server', 'client', 'harness', 'environment']);

export const stoppedSchema = z
  .object({ because: z.string(), blame: partySchema })
  .describe('Why a scenario could not go all its way.');

const stepResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), values: z.record(z.string(), z.string()) }),
  z.object({
    kind: z.literal('refused'),
    status: z.number(),
    code: z.string().optional(),
    reason: z.string().optional(),
  }),
  z.object({
    kind: z.literal('failed'),
    what: z.enum(['unreachable', 'timeout', 'server-error', 'unexpected-answer']),
    detail: z.string(),
  }),
  z.object({ kind: z.literal('absent') }),
]);

const codeFactsSchema = z.object({
  length: z.number(),
  digits: z.boolean(),
  step: z.number().optional(),
  tenth: z.number().optional(),
  derived: z.string().optional(),
  follows: z.array(z.string()).optional(),
  again: z.literal(true).optional(),
} satisfies Record<keyof CodeFacts, z.ZodType>);

/** One entry of the journal, masked. */
export const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scenario'),
    seq,
    at,
    scenario: z.string(),
    phase: z.enum(['begin', 'end']),
    stopped: stoppedSchema.optional(),
    absent: z.array(z.string()).optional().describe('Steps for want of which the scenario was not played.'),
    notPlayable: z.string().optional().describe('What the set-up lacks for the scenario.'),
    alone: z.literal(true).optional().describe('Nothing else was run meanwhile.'),
  }),
  z.object({
    kind: z.literal('step'),
    seq,
    at,
    scenario: z.string(),
    user: z.string(),
    phone: z.string().optional().describe('Pseudonym of the phone of the user.'),
    step: z.string(),
    label: z.string(),
    defect: z.string().optional().describe('The mistake that the step makes on purpose.'),
  }),
  z.object({
    kind: z.literal('outcome'),
    seq,
    at,
    scenario: z.string(),
    step: z.number().describe('seq of the step that ended.'),
    result: stepResultSchema,
    took: z.number().describe('Milliseconds.'),
  }),
  z.object({
    kind: z.literal('exchange'),
    seq,
    at,
    endedAt: at,
    scenario: z.string().optional(),
    step: z.number().optional().describe('seq of the step in which the harness sent it.'),
    link: z.enum(['client->auth', 'client->ehr', 'auth->ehr', 'auth->sms']),
    request: z.object({
      httpVersion: line,
      method,
      path: line,
      headers,
      body: z.string(),
    }),
    response: z.object({ status: z.number(), headers, body: z.string() }).optional(),
    fault: z.enum(faultNames).optional().describe('The fault that was injected on purpose.'),
    broke: z.enum(['refused', 'reset', 'closed-early', 'timeout']).optional(),
    facts: factsSchema,
  }),
  z.object({
    kind: z.literal('observation'),
    seq,
    at,
    scenario: z.string(),
    label: z.string(),
    values: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  }),
  z.object({
    kind: z.literal('code'),
    seq,
    at,
    scenario: z.string(),
    user: z.string(),
    code: z.string().describe('Pseudonym of the code.'),
    facts: codeFactsSchema.describe('What can be told of the code without its value.'),
  }),
  z.object({ kind: z.literal('silence'), seq, at, took: z.number().describe('Milliseconds.') }),
  z.object({
    kind: z.literal('server'),
    seq,
    at,
    event: z.enum(['started', 'died', 'unreachable']),
    ended: z.string().optional(),
    output: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('note'), seq, at, scenario: z.string().optional(), text: z.string() }),
]);
