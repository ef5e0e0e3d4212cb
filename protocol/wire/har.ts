/** A recorded HTTP exchange as other tools read it: as an entry of a HAR 1.2, and as a command for bash. */

type Headers = readonly (readonly [name: string, value: string])[];

export type RecordedRequest = { method: string; path: string; headers: Headers; body: string };

export type RecordedExchange = {
  /** Milliseconds since 1970-01-01 UTC. */
  beganAt: number;
  endedAt: number;
  request: RecordedRequest;
  /** Absent: no reply crossed. */
  reply?: { status: number; headers: Headers; body: string } | undefined;
};

/** Headers that curl writes by itself. */
const OWN_HEADERS = /^(?:host|connection|content-length|accept-encoding|transfer-encoding|keep-alive)$/i;
const JSON_TYPE = 'application/json';

/** Returns the request as a command. A masked one cannot be sent. */
export function curlOf({ method, path, headers, body }: RecordedRequest): string {
  const kept = headers.filter(([name]) => !OWN_HEADERS.test(name));
  return [
    `curl -X ${method} ${quoted(urlOf({ path, headers }))}`,
    ...kept.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Returns a whole HAR of these entries. */
export function harOf(entries: readonly object[], version: string): object {
  return { log: { version: '1.2', creator: { name: 'embedded-ehr-harness', version }, entries } };
}

export function harEntryOf({ beganAt, endedAt, request, reply }: RecordedExchange): object {
  const tookMs = Math.max(0, endedAt - beganAt);
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: new Date(beganAt).toISOString(),
    time: tookMs,
    request: {
      method: request.method,
      url: urlOf(request),
      ...common,
      headers: named(request.headers),
      queryString: [],
      ...(request.body !== '' && { postData: { mimeType: JSON_TYPE, text: request.body } }),
      bodySize: sizeOf(request.body),
    },
    response: {
      status: reply?.status ?? 0,
      statusText: '',
      ...common,
      headers: named(reply?.headers ?? []),
      content: { size: sizeOf(reply?.body ?? ''), mimeType: JSON_TYPE, text: reply?.body ?? '' },
      redirectURL: '',
      bodySize: sizeOf(reply?.body ?? ''),
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  };
}

/** The address under which the caller reached the server. */
function urlOf({ path, headers }: Pick<RecordedRequest, 'path' | 'headers'>): string {
  const [, host = 'localhost'] = headers.find(([name]) => name.toLowerCase() === 'host') ?? [];
  return `http://${host}${path}`;
}

function named(headers: Headers): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
