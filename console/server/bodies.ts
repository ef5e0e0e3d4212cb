/** The bodies that the routes accept. */
import { z } from 'zod';
import type { ArmFault, Moment, MoveClock, PlayScenario, TakeSnapshot, TextTrouble } from '../api.ts';

const MAX_MS = 366 * 86_400_000;
const ms = z.int().min(-MAX_MS).max(MAX_MS);
const times = z.union([z.int().min(1).max(1_000_000), z.literal('untilOff')]);
const delayMs = z.int().min(0).max(3_600_000);
const text = z.string().min(1).max(100);

/** Optional members are left out of what is read where they are not given. */
type Body<T> = z.ZodType<T>;

export const moveClock: Body<MoveClock> = z.union([
  z.strictObject({ advanceMs: ms }),
  z.strictObject({ to: z.enum(['beforeTokenEnd', 'afterTokenEnd', 'afterSessionEnd']) }),
  z.strictObject({ party: z.enum(['client', 'auth', 'ehr']), skewMs: ms }),
]);

export const armFault = z.strictObject({
  wire: z.enum(['client->auth', 'client->ehr', 'auth->ehr']),
  fault: text,
  method: text.exactOptional(),
  times: times.exactOptional(),
  reason: text.exactOptional(),
  delayMs: delayMs.exactOptional(),
}) satisfies Body<ArmFault>;

export const textTrouble = z.strictObject({
  kind: z.enum(['none', 'late', 'lost', 'doubled', 'outOfOrder']),
  times,
  delayMs: delayMs.exactOptional(),
}) satisfies Body<TextTrouble>;

export const playScenario: Body<PlayScenario> = z.strictObject({
  do: z.enum(['play', 'step', 'pause', 'takeOver']),
  id: text.exactOptional(),
});

export const takeSnapshot: Body<TakeSnapshot> = z.strictObject({ name: text });

export const moment: Body<Moment> = z.strictObject({
  version: z.literal(1),
  seed: z.int(),
  scenario: text.nullable(),
  step: z.int().min(0).max(100),
  movedMs: ms,
  skewMs: z.strictObject({ client: ms, auth: ms, ehr: ms }),
  faults: z.array(armFault).max(50),
  textTrouble: textTrouble.exactOptional(),
});
