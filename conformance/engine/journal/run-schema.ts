/** The schema of a saved run: its circumstances and every entry, as they are read from a file. */
import { z } from 'zod';
import { type Entry, entrySchema } from './entry.ts';

/** Runs of other centuries are none; a date beyond the calendar of JavaScript would stop whoever shows it. */
const CALENDAR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

export const metaSchema = z.object({
  /** Version of this package. */
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
  /** Name of the party, from its file. */
  target: z.string(),
  configuration: z.record(z.string(), z.unknown()).describe('The settings, without any secret.'),
  /** What decides which checks can be judged, such as the steps that the file declares absent. */
  abilities: z.object({
    absentSteps: z.array(z.string()),
    canAdvanceClock: z.boolean(),
    otpLifetimeSeconds: z.number().optional(),
  }),
  longestSilenceMs: z.number().describe('The kit itself stood still for so long at most.'),
  /** False during the run; stays false when it was aborted. */
  finished: z.boolean(),
});

export type RunMeta = z.infer<typeof metaSchema>;
export type Run = { meta: RunMeta; entries: readonly Entry[] };

/** Members that it does not name are let through: an other version of this tool may have written the file. */
const runSchema = z.object({ meta: metaSchema, entries: z.array(entrySchema) });

/**
 * The first place of a run that is not as this tool writes it, and what is wrong there; undefined: none.
 * @param from the place of the first entry among all of them
 */
export function faultOfRun(run: unknown, from = 0): string | undefined {
  const [issue] = runSchema.safeParse(run).error?.issues ?? [];
  if (!issue) return undefined;
  const [member, at, ...rest] = issue.path;
  const place = member === 'entries' && typeof at === 'number' ? [member, at + from, ...rest] : issue.path;
  return `${place.join('.')} is not as this tool writes it (${issue.message})`;
}
