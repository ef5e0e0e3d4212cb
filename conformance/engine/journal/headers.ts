/**
 * Headers of a message, as the journal has them: pairs, in the order and the case in which they came. By the
 * W3C trace context among them a tracing tool finds the span of a server.
 */
import type { ExchangeEntry } from './entry.ts';

/** The value of the first header of this name, which is in lower case. */
export const headerOf = (headers: ExchangeEntry['request']['headers'] | undefined, name: string) =>
  headers?.find(([key]) => key.toLowerCase() === name)?.[1];

/** Turns the raw headers of node:http, where names and values alternate, into pairs. */
export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] as string,
    rawHeaders[2 * index + 1] as string,
  ]);
}

export const TRACE_HEADER = 'traceparent';

/** Version, trace id, parent id and flags, as https://www.w3.org/TR/trace-context/ has them. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace id and the parent id in a value of the header; none where it is not well-formed. */
export function idsInTrace(value: string): readonly string[] {
  return TRACE_PARENT.exec(value)?.slice(1) ?? [];
}

export function traceIdOf({ headers }: Pick<ExchangeEntry['request'], 'headers'>): string | undefined {
  return idsInTrace(headerOf(headers, TRACE_HEADER) ?? '')[0];
}
