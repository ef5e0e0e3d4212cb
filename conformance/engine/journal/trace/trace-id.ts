/** Reads the W3C trace context of a recorded request: by its id a tracing tool finds the span of a server. */
import type { ExchangeEntry } from '../entry.ts';
import { headerOf } from '../headers.ts';

/** The name of the header. */
export const TRACE_HEADER = 'traceparent';

/** Version, trace id, parent id and flags, as https://www.w3.org/TR/trace-context/ has them. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace id and the parent id in a value of the header; none where it is not well-formed. */
export function idsInTrace(value: string): readonly string[] {
  return TRACE_PARENT.exec(value)?.slice(1) ?? [];
}

/** The trace id of a request; undefined where it has no well-formed header. */
export function traceIdOf({ headers }: Pick<ExchangeEntry['request'], 'headers'>): string | undefined {
  return idsInTrace(headerOf(headers, TRACE_HEADER) ?? '')[0];
}
