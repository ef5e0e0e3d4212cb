/** Converts the lifetime of a session to minutes where the server under test counts seconds. */
import type { StepResult } from '../../../engine/journal/entry.ts';

/** Converts the ttl that a step yields to minutes, in which the journal has it. */
export function inMinutes(result: StepResult, { ttlsPerMinute }: { ttlsPerMinute: number }): StepResult {
  if (result.kind !== 'done' || result.values.ttl === undefined || ttlsPerMinute === 1) return result;
  return { ...result, values: { ...result.values, ttl: String(Number(result.values.ttl) / ttlsPerMinute) } };
}
