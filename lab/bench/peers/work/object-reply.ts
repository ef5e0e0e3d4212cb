/** The outcome of a method for peers that turn objects into JSON themselves. */
import type { PeerOutcome } from './work.ts';

/** Returns the members of a reply beside `jsonrpc` and `id`. */
export function replyOf(
  outcome: PeerOutcome,
): { result: unknown } | { error: { code: number; message: string } } {
  if (!('record' in outcome)) return outcome;
  const { record, userSign } = outcome;
  return { result: { patient: JSON.parse(record), user_sign: userSign, userSign } };
}
