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
/** curl reads headers from a file of this name. No header begins so. */
const FILE_OF_HEADERS = /^@/;
/** curl takes these for a list of addresses. */
const GLOB = /[[\]{}]/;
const JSON_TYPE = 'application/json';

/**
 * Returns the request as a command. A masked one cannot be sent. Whatever stands in the request, bash and
 * curl take it for nothing but a part of this one request.
 */
export function curlOf({ method, path, headers, body }: RecordedRequest): string {
  const kept = headers.filter(([name]) => !OWN_HEADERS.test(name) && !FILE_OF_HEADERS.test(name));
  const url = urlOf({ path, headers });
  const literally = GLOB.test(url) ? ' --globoff' : '';
  return [
    `curl -X ${word(method)}${literally} ${quoted(url)}`,
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
  // Without the slash, what follows could change the host.
  return `http://${host}${path.startsWith('/') ? '' : '/'}${path}`;
}

function named(headers: Headers): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A word that bash takes as it stands, or the same quoted. */
function word(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : quoted(text);
}

/**
 * A text as one word of bash. A terminal would carry out control characters that are pasted into it, even
 * within quotes; they are written as escapes.
 */
function quoted(text: string): string {
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(ESCAPED, escaped)}'`;
}

const CONTROL = /\p{Cc}/u;
/** Beside control characters: what ends such a quotation, and what brings a line of the history. */
const ESCAPED = /[\p{Cc}\\'!]/gu;

/** No argument can have a NUL, so the sign for a lost character stands for it. */
function escaped(char: string): string {
  if (char === '\0') return '\uFFFD';
  if (char === '\n') return '\\n';
  const code = char.charCodeAt(0).toString(16);
  return `\\u${code.padStart(4, '0')}`;
}
