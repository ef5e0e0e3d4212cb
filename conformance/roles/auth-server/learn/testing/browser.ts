/**
 * For tests: a client that keeps cookies and writes a HAR of its requests, as the network tab of a browser
 * does, among pictures, preflights and statistics.
 */

type HarEntry = Record<string, unknown>;
type SendOptions = { method?: string; headers?: Record<string, string>; body?: string };
/** An answer as the client uses it. */
export type Page = { status: number; text: string; json: Record<string, never>; location: string };

/** Opens a browser. Its clock counts milliseconds from a fixed day. */
export function openBrowser() {
  const entries: HarEntry[] = [];
  const jar = new Map<string, string>();
  let now = Date.UTC(2026, 0, 5, 9);
  const record = (request: HarEntry, response: HarEntry) => {
    now += 120;
    const startedDateTime = new Date(now).toISOString();
    entries.push({
      _initiator: { type: 'script' },
      startedDateTime,
      time: 80,
      request,
      response,
      cache: {},
      timings: {},
    });
  };
  return {
    /** Sends a request with the cookies of the jar, and records it. No redirect is followed. */
    async send(url: string, { method = 'GET', headers = {}, body }: SendOptions = {}): Promise<Page> {
      const { origin } = new URL(url);
      if (entries.length === 0) for (const [request, response] of noiseOf(origin)) record(request, response);
      const sentCookies = [...jar];
      const cookie = sentCookies.map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = { 'user-agent': 'Test', ...headers, ...(cookie !== '' && { cookie }) };
      const response = await fetch(url, {
        method,
        headers: sent,
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const type = response.headers.get('content-type') ?? '';
      const listed = Object.entries(sent).map(([name, value]): [string, string] => [name, value]);
      record(
        requestOf(method, url, listed, sentCookies, body),
        answerOf(response.status, [...response.headers], text, type),
      );
      const json = /json/.test(type) && text !== '' ? JSON.parse(text) : {};
      return { status: response.status, text, json, location: response.headers.get('location') ?? '' };
    },
    cookie: (name: string): string => jar.get(name) ?? '',
    har: () => ({ log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries } }),
  };
}

/** What a browser fetches beside the calls of a client. */
function noiseOf(origin: string): [HarEntry, HarEntry][] {
  const plain = (method: string, url: string) => requestOf(method, url, [['user-agent', 'Test']], []);
  const answer = (type: string, text: string) => answerOf(200, [['content-type', type]], text, type);
  return [
    [plain('GET', `${origin}/assets/app.4821ab.js`), answer('application/javascript', 'let code="1234"')],
    [plain('GET', `${origin}/favicon.ico`), answer('image/x-icon', '')],
    [plain('OPTIONS', `${origin}/`), answer('', '')],
    [plain('GET', 'https://statistics.test/hit?page=49215634&uid=7710293'), answer('text/plain', 'ok')],
  ];
}

export type Browser = ReturnType<typeof openBrowser>;

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }));

function requestOf(
  method: string,
  url: string,
  headers: readonly [string, string][],
  cookies: readonly [string, string][],
  text?: string,
): HarEntry {
  const mimeType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    method,
    url,
    httpVersion: 'HTTP/2',
    headers: named([[':authority', new URL(url).host], ...headers]),
    cookies: named(cookies),
    queryString: [],
    headersSize: -1,
    bodySize: text?.length ?? 0,
    ...(text !== undefined && { postData: { mimeType, text } }),
  };
}

function answerOf(
  status: number,
  headers: readonly [string, string][],
  text: string,
  mimeType: string,
): HarEntry {
  const base64 = text.length % 2 === 1;
  const content = base64 ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' } : { text };
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/2',
    headers: named(headers),
    cookies: [],
    content: { size: text.length, mimeType, ...content },
    redirectURL: '',
    headersSize: -1,
    bodySize: text.length,
  };
}
