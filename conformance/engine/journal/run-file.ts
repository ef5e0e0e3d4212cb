/** The content of the file of a run (run.json): journal, circumstances (`meta`), and a checksum, the seal. */
import { z } from 'zod';
import { hashHex } from '#protocol/wire/hashes.ts';
import { InputError } from '../input-error.ts';
import { type Entry, entrySchema } from './entry.ts';

/** The form of the file. In earlier ones no step says what must come of it, so they cannot be judged. */
const FORMAT = 'embedded-ehr-run/3';

type RunFile = Run & { format: typeof FORMAT; seal: string };

export function runText(run: Run): string {
  const content: RunFile = { format: FORMAT, ...run, seal: sealOf(run) };
  return `${JSON.stringify(content, null, 1)}\n`;
}

/**
 * Checks the parsed content of a run's file. Every member is checked, because anyone can compute a new seal.
 * @param name the name of the file in errors
 * @throws InputError that says what is wrong with the file: no run, another format, or altered since then
 */
export function runOf(content: unknown, name: string): Run {
  const reading = runInPieces(content, name);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** Checks as {@link runOf} does, and pauses after some entries, so that a program can do other work. */
export function* runInPieces(content: unknown, name: string): Generator<undefined, Run> {
  const { format, meta, entries, seal } = Object(content) as Partial<RunFile>;
  if (format === undefined) throw new InputError(`Failed to read ${name}: it is no run.json. ${REMEDY}`);
  if (format !== FORMAT) {
    throw new InputError(
      `Failed to read ${name}: its format is ${JSON.stringify(format)}, and this version reads ${FORMAT}. Please run again.`,
    );
  }
  if (typeof meta !== 'object' || meta === null || !Array.isArray(entries)) {
    const missing = Array.isArray(entries) ? 'meta' : 'entries';
    throw new InputError(`Failed to read ${name}: its member "${missing}" is missing. ${REMEDY}`);
  }
  yield;
  if (seal !== sealOf({ meta, entries })) {
    throw new InputError(
      `Failed to read ${name}: it was altered after it was written, so its journal proves nothing. Please run again.`,
    );
  }
  for (let from = 0; from === 0 || from < entries.length; from += PIECE) {
    yield;
    const fault = faultOfRun({ meta, entries: entries.slice(from, from + PIECE) }, from);
    if (fault !== undefined) throw new InputError(`Failed to read ${name}: ${fault}. ${REMEDY}`);
  }
  return { meta, entries };
}

const REMEDY = 'Please name a run.json that this tool wrote.';

/** How many entries are checked between two pauses: they take some milliseconds. */
const PIECE = 250;

/** A checksum against alteration by hand or accident. It is no signature: anyone can recompute it. */
function sealOf({ meta, entries }: Run): string {
  return hashHex('sha256', JSON.stringify([meta, entries]));
}

/** A date with a year of four digits. No run has another date, and a report might fail to show it. */
const CALENDAR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

export const metaSchema = z.object({
  tool: z.string(),
  node: z.string(),
  startedAt: z
    .string()
    .refine(
      (text) => CALENDAR.test(text) && !Number.isNaN(Date.parse(text)),
      'it is no date and time (ISO 8601)',
    ),
  seed: z.number(),
  mode: z.enum(['scenarios', 'watch']),
  role: z.string().optional().describe('The party judged; the authorization server unless given.'),
  target: z.string(),
  file: z
    .string()
    .optional()
    .describe('Path of the file about the party, from the folder of this report. Older reports have none.'),
  configuration: z.record(z.string(), z.unknown()).describe('The settings, without any secret.'),
  /** What the set-up can do. It decides which checks can be judged. */
  abilities: z.object({
    absentSteps: z.array(z.string()),
    canAdvanceClock: z.boolean(),
    otpLifetimeSeconds: z.number().optional(),
  }),
  longestSilenceMs: z.number().describe('The kit itself stood still for so long at most.'),
  /** False while the run is under way, and for a run that was aborted. */
  finished: z.boolean(),
});

export type RunMeta = z.infer<typeof metaSchema>;
export type Run = { meta: RunMeta; entries: readonly Entry[] };

/** Unknown members are allowed: another version of this tool may have written the file. */
const runSchema = z.object({ meta: metaSchema, entries: z.array(entrySchema) });

/** Says where a run first differs from what this tool writes. `from`: the index of its first entry. */
export function faultOfRun(run: unknown, from = 0): string | undefined {
  const [issue] = runSchema.safeParse(run).error?.issues ?? [];
  if (!issue) return undefined;
  const [member, at, ...rest] = issue.path;
  const place = member === 'entries' && typeof at === 'number' ? [member, at + from, ...rest] : issue.path;
  return `${place.join('.')} is not as this tool writes it (${issue.message})`;
}

type RunAbout = Pick<RunMeta, 'startedAt' | 'seed' | 'role' | 'target' | 'configuration'> & {
  canAdvanceClock: boolean;
};

export type MetaOf = (about: Pick<RunMeta, 'tool' | 'finished'>) => RunMeta;

/** Makes the circumstances that a run of an EHR server or of a client records with its journal. */
export function metaOf({ canAdvanceClock, ...run }: RunAbout): MetaOf {
  return ({ tool, finished }) => ({
    tool,
    node: process.versions.node,
    ...run,
    mode: 'scenarios',
    abilities: { absentSteps: [], canAdvanceClock, otpLifetimeSeconds: undefined },
    longestSilenceMs: 0,
    finished,
  });
}
