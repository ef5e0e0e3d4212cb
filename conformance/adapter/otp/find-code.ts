/** Finds a code in the text of a message, and normalizes the phone that it went to. */
import { phoneKey } from '#protocol/wire/matching.ts';

/** Returns the first group of the pattern, or its whole match; undefined without a match. */
export function findCode(text: string, pattern: string): string | undefined {
  const match = new RegExp(pattern, 'u').exec(text);
  return match?.[1] ?? match?.[0];
}

/** A phone in the normal form used to compare phones here. */
export function phoneOf(text: string): string {
  return phoneKey(text) ?? text.replace(/\D/g, '');
}
