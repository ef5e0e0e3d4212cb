/** The schema that checks the content of a saved run: its circumstances (`meta`) and every journal entry. */
import { z } from 'zod';
import { type Entry, entrySchema } from './entry.ts';

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

/**
 * Says where a run first differs from what this tool writes, and how; undefined: nowhere.
 * @param from the index of the first of these entries in the whole journal, when only a part is checked
 */
export function faultOfRun(run: unknown, from = 0): string | undefined {
  const [issue] = runSchema.safeParse(run).error?.issues ?? [];
  if (!issue) return undefined;
  const [member, at, ...rest] = issue.path;
  const place = member === 'entries' && typeof at === 'number' ? [member, at + from, ...rest] : issue.path;
  return `${place.join('.')} is not as this tool writes it (${issue.message})`;
}
