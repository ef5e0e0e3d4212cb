import type { ExchangeEntry } from './entry.ts';

/**
 * The value of the first header of this name, which is in lower case. Undefined where there is none, or no
 * message.
 */
export const headerOf = (headers: ExchangeEntry['request']['headers'] | undefined, name: string) =>
  headers?.find(([key]) => key.toLowerCase() === name)?.[1];
