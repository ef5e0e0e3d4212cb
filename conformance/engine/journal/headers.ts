/** Headers of a message, as the journal has them: pairs, in the order and the case in which they came. */
import type { ExchangeEntry } from './entry.ts';

/**
 * The value of the first header of this name, which is in lower case. Undefined where there is none, or no
 * message.
 */
export const headerOf = (headers: ExchangeEntry['request']['headers'] | undefined, name: string) =>
  headers?.find(([key]) => key.toLowerCase() === name)?.[1];

/** Turns the raw headers of node:http, where names and values alternate, into pairs. */
export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] as string,
    rawHeaders[2 * index + 1] as string,
  ]);
}
