/**
 * Sends a request of the kit to the server under test, limits the time and size of the answer, and says why
 * there is none.
 */
import { type Clock, deadline } from '#protocol/time/clock.ts';
import type { StepResult } from '../../journal/entry.ts';
import type { HttpRequest } from './build-request.ts';

/** A whole HTTP answer; `text` is its body, read as UTF-8. */
export type Answer = { kind: 'answer'; status: number; headers: Headers; text: string };
export type Failed = Extract<StepResult, { kind: 'failed' }>;

export type SendParts = {
  fetch: typeof fetch;
  clock: Clock;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/** Limits the body of an answer. An answer to a step is far smaller. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Sends a request. Never rejects: resolves to a failure instead. Does not follow redirects. */
export async function send(
  request: HttpRequest,
  { fetch, clock, timeoutMs, signal }: SendParts,
): Promise<Answer | Failed> {
  const limit = deadline(clock, timeoutMs, new Error('The time is up.'));
  const ended = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal;
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: ended,
      ...(request.body !== undefined && { body: request.body }),
    });
    const text = await readText(response);
    if (text === undefined)
      return failed(
        'unexpected-answer',
        `HTTP ${response.status} with more than ${MAX_ANSWER_BYTES / 1024} KiB`,
      );
    return { kind: 'answer', status: response.status, headers: response.headers, text };
  } catch (error) {
    if (limit.signal.aborted) return failed('timeout', `no complete answer within ${timeoutMs} ms`);
    if (ended.aborted) return failed('timeout', 'the step was broken off');
    return failed('unreachable', reasonOf(error));
  } finally {
    limit.cancel();
  }
}

export function failed(what: Failed['what'], detail: string): Failed {
  return { kind: 'failed', what, detail };
}

async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); reader && part && !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Why an answer is missing where the server took the request and closed the connection. */
export const CLOSED_EARLY = 'the connection was closed before the answer was complete';

/** Sentences for the common error codes of Node and its fetch. They never quote what the other side sent. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  EPIPE: 'the connection was closed while the request was sent (EPIPE)',
  UND_ERR_SOCKET: CLOSED_EARLY,
  ETIMEDOUT: 'the connection could not be made in time (ETIMEDOUT)',
  EHOSTUNREACH: 'there is no route to the host (EHOSTUNREACH)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an unknown authority; name that in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is signed by an unknown authority; name that in NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string') return REASONS[code] ?? `no answer (${code})`;
  if (cause instanceof Error && cause.message === 'bad port')
    return 'web clients refuse to call this port; please choose another one for the server';
  // For example, a value that came from the server under test makes a header invalid. The message could quote
  // that value, so only the name of the error is shown.
  return cause instanceof Error ? `the request could not be sent (${cause.name})` : 'no answer';
}
