/** Defines the report as data, `report.json`, and its published JSON Schema; reads such a file. */
import { z } from 'zod';
import type { Verdict } from '../../check/verdict.ts';
import { judgedSources, levels, parts } from '../../check/weight.ts';
import { InputError } from '../../input-error.ts';
import { type Entry, entrySchema, partySchema, stoppedSchema } from '../../journal/entry.ts';
import { readJsonFile } from '../../journal/input-file.ts';
import { metaSchema } from '../../journal/run-file.ts';
import { outcomesInOrder } from '../words.ts';

const outcomeSchema = z.enum(outcomesInOrder);
const partSchema = z.enum(parts).describe('What it counts for: the interface, or the safety of people.');
/** `seq` of journal entries that show a finding. */
const evidence = z
  .array(z.number())
  .describe('seq of the journal entries that show it; `entries` has those that a form of the report shows.');

const failSchema = z.object({
  outcome: z.literal('fail'),
  expected: z.string(),
  actual: z.string(),
  evidence,
  blame: partySchema,
  advice: z.string().describe('What to do about it.'),
  timeSensitive: z.boolean().optional().describe('Whether a slow machine could have caused it.'),
  explains: z.array(z.string()).optional().describe('Checks whose faults follow from this one.'),
  saysWhy: z
    .boolean()
    .optional()
    .describe('Whether it says why steps that were answered alike were refused; false: only that they were.'),
});

const findingSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('pass'), evidence }),
  failSchema,
  z.object({ outcome: z.literal('not applicable'), because: z.string() }),
  z.object({
    outcome: z.literal('inconclusive'),
    because: z.string(),
    evidence: evidence.optional(),
    blame: partySchema,
    isDisturbed: z.literal(true).optional().describe('Whether a stall of the kit may have caused it.'),
  }),
]);

const verdictSchema = z.object({
  check: z.string().describe('Stable name of the check.'),
  title: z.string(),
  part: partSchema,
  level: z.enum(levels).describe('Of safety, MUST is essential and SHOULD is recommended.'),
  requirements: z.array(z.string()).describe('Ids of the requirements it judges; each is in `requirements`.'),
  scenarios: z.array(z.string()),
  unshown: z.array(z.string()).optional().describe('Requirements of it of which no call crossed the wire.'),
  outcome: outcomeSchema,
  finding: findingSchema,
  clause: z.string().describe('Where the requirements stand.'),
  known: z.string().optional().describe('Why this failure is expected, from the list of known failures.'),
  playAlone: z.string().optional().describe('The command that plays it alone.'),
});

const statusSchema = z.enum(['met', 'broken', 'warning', 'inconclusive', 'not judged']);

const requirementSchema = z.object({
  id: z.string(),
  clause: z.string(),
  source: z
    .enum(judgedSources)
    .describe('A sentence of the interface, deployed clients and servers, or good practice.'),
  part: partSchema,
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  text: z.string(),
  basis: z
    .string()
    .optional()
    .describe('What the sentence of the interface says, or that deployed clients depend on it.'),
  risk: z.string().optional().describe('Who can do what where it is broken.'),
  status: statusSchema,
  because: z.string().optional().describe('Why it was not judged, or not judged to the end.'),
  unjudged: z
    .enum(['not applicable', 'not asked', 'not seen', 'no check'])
    .optional()
    .describe('What kept it from being judged, in one word for programs.'),
  checks: z.array(z.object({ check: z.string(), outcome: z.union([outcomeSchema, z.literal('not run')]) })),
});

const scenarioSchema = z.object({
  scenario: z.string(),
  title: z.string(),
  finished: z.boolean().describe('False when the run was broken off in it.'),
  stopped: stoppedSchema.optional(),
  absent: z.array(z.string()).optional().describe('Steps for want of which it was not played.'),
  notPlayable: z.string().optional().describe('What the set-up lacks for it.'),
  took: z.number().describe('Milliseconds.'),
  steps: z.number(),
  exchanges: z.number(),
  shown: z.number().describe('So many of its messages, from the first one on, are in `entries`.'),
  checks: z.array(z.string()).describe('Checks whose verdicts its messages show.'),
});

const causeSchema = z.object({
  cause: z.string().describe('One plain sentence.'),
  check: z.string().optional().describe('The check that shows the cause itself, where one does.'),
  advice: z.string().optional().describe('What to do about it. It holds for all of its checks.'),
  blame: partySchema.optional(),
  checks: z.array(z.string()).describe('All checks that are red, or a warning, because of it.'),
});

const conclusionSchema = z.enum([
  'conformant',
  'not conformant',
  'not safe',
  'inconclusive',
  'not set up',
  'broken off',
  'nothing judged',
  'known failures out of date',
]);

/** A number for each of these names. The cast restores the names, which `fromEntries` loses. */
const numbersOf = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])) as Record<Name, z.ZodNumber>);

const counts = numbersOf(outcomeSchema.options);

const partOfSummary = z.object({
  headline: z.string().describe('The conclusion on this part, with how much was judged.'),
  checks: counts,
  requirements: numbersOf(statusSchema.options),
});

const summarySchema = z.object({
  conclusion: conclusionSchema,
  exitCode: z
    .number()
    .describe(
      '0 conformant and safe, 1 not, or inconclusive, 2 not set up; failures that are known do not count.',
    ),
  sentence: z.string().describe('The conclusion in one or two sentences.'),
  finished: z
    .boolean()
    .describe('False when the run was broken off: the report is of what was seen until then.'),
  demands: z.object({
    gate: z.enum(['interface', 'safety']).describe('With safety, an essential weakness fails the run too.'),
    strict: z.boolean().describe('Whether recommendations count.'),
  }),
  only: z.string().optional().describe('What the run was restricted to.'),
  took: z.number().describe('Milliseconds of the whole run.'),
  counts,
  parts: z.object({ interface: partOfSummary, safety: partOfSummary }),
  known: z.number().describe('Failures that are known and do not count.'),
});

/** The form of `report.json`. The second one had no messages but those that verdicts name. */
export const FORMAT = 'embedded-ehr-conformance-report/3';

/** The whole content of `report.json`. */
export const reportSchema = z.object({
  format: z.literal(FORMAT),
  summary: summarySchema,
  meta: metaSchema,
  notSetUp: z
    .array(z.object({ problem: z.string(), remedy: z.string() }))
    .optional()
    .describe('Why nothing could be judged.'),
  staleBaseline: z
    .array(z.object({ check: z.string(), because: z.string() }))
    .describe('Entries of the list of known failures that hold no more.'),
  verdicts: z.array(verdictSchema),
  causes: z
    .array(causeSchema)
    .describe(
      'What is red, or a warning, by its cause, the most basic first: each such check stands in one of them.',
    ),
  requirements: z.array(requirementSchema).describe('Every requirement on the party judged.'),
  scenarios: z.array(scenarioSchema),
  strays: z
    .array(z.object({ link: z.string(), call: z.string(), because: z.string(), times: z.number() }))
    .optional()
    .describe('Requests that nobody of the run sent: listed, and not judged.'),
  entries: z
    .array(entrySchema)
    .describe('The journal entries that verdicts and scenarios show; all others are in run.json.'),
});

/** A report as the kit uses it: the verdicts and journal entries have the types of the kit. */
export type Report = Omit<z.infer<typeof reportSchema>, 'verdicts' | 'entries'> & {
  verdicts: readonly (Verdict & Pick<z.infer<typeof verdictSchema>, 'clause' | 'known' | 'playAlone'>)[];
  entries: readonly Entry[];
};
export type ReportedVerdict = Report['verdicts'][number];
export type ReportedRequirement = Report['requirements'][number];
export type ReportedCause = Report['causes'][number];
export type ReportedScenario = Report['scenarios'][number];

/** Returns the JSON Schema of `report.json`: the content of `conformance/report.schema.json`. */
export function publishedReportSchema(): Record<string, unknown> {
  const title = 'Conformance report';
  const description = 'What a conformance run found out about a server.';
  // The copy has only what JSON has, so that it equals the file.
  return JSON.parse(JSON.stringify({ title, description, ...z.toJSONSchema(reportSchema, { io: 'input' }) }));
}

/** Reads a `report.json`. @throws InputError that names the file and what is wrong with it */
export function readReport(file: string): Report {
  const content = readJsonFile(file, 'report.json', 'it is not JSON');
  const parsed = reportSchema.safeParse(content);
  if (parsed.success) return content as Report;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  throw new InputError(
    `Failed to read ${file}: it is no report of this version${place} (${issue?.message}). Please name a report.json that this tool wrote.`,
    { cause: parsed.error },
  );
}
