/** One request and its answer as a recording has them. They hold secrets and stay in memory. */
import { tryJson } from '#protocol/wire/json.ts';

/** Names and values in their order; names of headers are in lower case. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A body, read by what it is. `unsaved`: there was one, and the recording lacks it. */
export type SeenBody =
  | { readonly kind: 'none' | 'unsaved' }
  | { readonly kind: 'json'; readonly json: unknown; readonly text: string }
  | { readonly kind: 'form'; readonly fields: Pairs; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

export type SeenExchange = {
  /** Its number in the recording, in order of time, counted from 1. */
  readonly number: number;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly startedAt: number;
  readonly request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Pairs;
    readonly cookies: Pairs;
    readonly body: SeenBody;
  };
  readonly answer: {
    /** 0: there was no answer. */
    readonly status: number;
    readonly headers: Pairs;
    readonly cookies: Pairs;
    readonly body: SeenBody;
  };
};

/** An exchange before its parts are read. A `body` is null where there was one that was not saved. */
export type RawExchange = {
  startedAt: number;
  request: { method: string; url: string; headers: Pairs; body: string | null };
  answer: { status: number; headers: Pairs; body: string | null };
};

/** Reads the parts of raw exchanges, and orders them by time. Those whose address is no URL are left out. */
export function seenExchanges(raw: readonly RawExchange[]): SeenExchange[] {
  return raw
    .filter(({ request }) => URL.canParse(request.url))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ startedAt, request, answer }, index) => {
      const [asked, answered] = [inLowerCase(request.headers), inLowerCase(answer.headers)];
      return {
        number: index + 1,
        startedAt,
        request: {
          method: request.method.toUpperCase(),
          url: new URL(request.url),
          headers: asked,
          cookies: asked.filter(([name]) => name === 'cookie').flatMap(([, value]) => sentCookies(value)),
          body: readBody(request.body, asked),
        },
        answer: {
          status: answer.status,
          headers: answered,
          cookies: answered
            .filter(([name]) => name === 'set-cookie')
            // Some tools write several cookies as the lines of one header.
            .flatMap(([, value]) => value.split('\n').flatMap((line) => sentCookies(line).slice(0, 1))),
          body: readBody(answer.body, answered),
        },
      };
    });
}

/** `name` is in lower case. */
export const headerIn = (headers: Pairs, name: string): string | undefined =>
  headers.find(([given]) => given === name)?.[1];

/** Without the pseudo headers of HTTP/2, such as `:authority`. */
function inLowerCase(headers: Pairs): Pairs {
  return headers
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => [name.toLowerCase(), value]);
}

function sentCookies(header: string): [string, string][] {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
}

/** Reads a body by its type, and by its look where the type says nothing. */
function readBody(text: string | null, headers: Pairs): SeenBody {
  if (text === null) return { kind: 'unsaved' };
  if (text === '') return { kind: 'none' };
  const type = headerIn(headers, 'content-type') ?? '';
  const json = /^\s*[[{]/.test(text) || /\bjson\b/i.test(type) ? tryJson(text) : undefined;
  if (json) return { kind: 'json', json: json.value, text };
  if (/x-www-form-urlencoded/i.test(type))
    return { kind: 'form', fields: [...new URLSearchParams(text)], text };
  return { kind: 'text', text };
}
