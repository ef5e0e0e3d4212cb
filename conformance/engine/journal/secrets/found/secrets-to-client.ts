/**
 * Finds in an authorization server's answers what the client must not get: secrets (§1 rules 8, 9; §5), and
 * stack traces, which reveal the inner workings of a server by mistake.
 */
import { UPSTREAM_MARK } from '../../../wire/faults.ts';
import type { ExchangeEntry, StepEntry } from '../../entry.ts';
import type { Form } from '../canaries.ts';
import { decodedTexts, percentDecoded } from '../decoded-texts.ts';
import { type Knowledge, MIN_NAME_CHARS } from '../knowledge.ts';
import { hasForm, standingAlone } from '../sought-forms.ts';
import { algorithmOfHashIn } from './hashes.ts';

type Asking = Pick<StepEntry, 'seq' | 'scenario' | 'user' | 'step' | 'defect'>;

/** The beginning of `facts.toClient` for each kind of secret; checks compare it. */
export const TO_CLIENT = {
  password: 'the internal password',
  digest: 'a digest of the internal channel',
  ehrError: "the EHR server's own error text",
  code: 'a code that is not confirmed yet',
  ofAnother: ' of another user',
  /** Follows the name of the secret. Anybody can ask for a code to any phone, so the answer must be bare. */
  unconfirmed: ' before the code is confirmed',
  inHeader: 'a token or signature in header ',
  ofSomebodyElse: ' of somebody else',
} as const;

/** A shorter secret may occur in an answer by chance. */
const MIN_SECRET_CHARS = 4;

/** Headers with numbers and dates of HTTP itself: a short code may occur there by chance. */
const HTTP_NUMBERS =
  /^(date|expires|last-modified|content-length|age|keep-alive|(x-)?ratelimit-.*|retry-after)$/;

/**
 * Lists the secrets in an answer to a client: the internal password, a digest for the EHR server, error texts
 * of the EHR server, an unconfirmed code, and tokens or signatures of another user. The answer to the request
 * for a code must not have even the user's own. Each text has the place, such as "a code that is not
 * confirmed yet in header location".
 * @param asking undefined: the step is not known, and only secrets that nobody may get are searched
 */
export function secretsToClient(
  { seq, request, response }: ExchangeEntry,
  knowledge: Knowledge,
  asking: Asking | undefined,
): string[] {
  if (!response) return [];
  const places = [
    ...response.headers.map(([name, value]): [string, string] => [`header ${name.toLowerCase()}`, value]),
    ['the body', response.body] as [string, string],
  ].map(([place, text]): [string, string] => [place, [text, ...decodedTexts(text)].join('\n')]);
  const found = new Set(keysInHeaders(response.headers, knowledge));
  // Most secrets occur nowhere. They are searched in the whole answer first, and only then by place.
  const everything = places.map(([, text]) => text).join('\n');
  const look = (what: string, secret: string, { plainOnly = false } = {}) => {
    if (secret.length < MIN_SECRET_CHARS || (plainOnly && !everything.includes(secret))) return;
    for (const [place, text] of places) {
      if (what === TO_CLIENT.code && HTTP_NUMBERS.test(place.replace('header ', ''))) continue;
      if (plainOnly ? text.includes(secret) : shows(text, knowledge.formsOf(secret)))
        found.add(`${what} in ${place}`);
    }
  };
  for (const [place, text] of places)
    if (hasForm(text, knowledge.passwordForms)) found.add(`${TO_CLIENT.password} in ${place}`);
  look(TO_CLIENT.ehrError, UPSTREAM_MARK, { plainOnly: true });
  for (const digest of knowledge.digests) look(TO_CLIENT.digest, digest, { plainOnly: true });
  const own = asking && knowledge.phoneOf(asking);
  if (own !== undefined) {
    for (const [code, sent] of knowledge.codes) {
      // After the user has entered a code, the client knows it. Codes to other phones are not searched: such
      // short numbers occur by chance.
      if (!sent.some(({ phone, usedAt }) => phone === own && seq < usedAt)) continue;
      look(TO_CLIENT.code, code);
      for (const [place, text] of places) {
        const hash = algorithmOfHashIn(text, knowledge.hashesOf(code, own));
        if (hash !== undefined) found.add(`${TO_CLIENT.code} in ${place} (as its ${hash})`);
      }
    }
    // A value that the client sent itself tells it nothing new, even if it belongs to another user.
    const sent = [request.path, ...request.headers.map(([, value]) => value), request.body].join('\n');
    for (const [value, { what, phone }] of knowledge.owned) {
      if (!everything.includes(value) || sent.includes(value)) continue;
      if (phone !== own) look(`${what}${TO_CLIENT.ofAnother}`, value, { plainOnly: true });
      else if (asking?.step === 'requestOtp')
        look(`${what}${TO_CLIENT.unconfirmed}`, value, { plainOnly: true });
    }
    // In a step with a deliberate mistake (`defect`) the request may be about another person, whose phone
    // and user must not be revealed.
    for (const [place, text] of asking?.defect === undefined ? places : [])
      for (const [word] of text.matchAll(WORDS)) {
        const named = knowledge.names.get(word);
        if (named && named.phone !== own && !sent.includes(word))
          found.add(`${named.what}${TO_CLIENT.ofSomebodyElse} in ${place}`);
      }
  }
  return [...found];
}

const WORDS = new RegExp(`[\\p{L}\\p{N}_-]{${MIN_NAME_CHARS},}`, 'gu');

function shows(text: string, forms: readonly Form[]): boolean {
  if (text === '') return false;
  const lower = text.toLowerCase();
  return forms.some(({ needle, anyCase, form }) => {
    // A number within a longer number, or within a token, is another number.
    if (/^\d+$/.test(needle))
      return text.includes(needle) && new RegExp(standingAlone(needle), 'iu').test(text);
    // A short code has only a few letters in base64, which occur by chance.
    if (form.startsWith('base64') && needle.length < 8) return false;
    return anyCase ? lower.includes(needle.toLowerCase()) : text.includes(needle);
  });
}

/** A cookie that no script of a page can read. */
const HTTP_ONLY = /;\s*httponly\s*(;|$)/i;

/**
 * Lists the headers that have a token or a user_sign in them, such as "a token or signature in header
 * location". A cookie that is HttpOnly is meant to carry one.
 */
function keysInHeaders(
  headers: readonly (readonly [string, string])[],
  { owned }: Pick<Knowledge, 'owned'>,
): string[] {
  const texts = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name, value]) => !(name === 'set-cookie' && HTTP_ONLY.test(value)))
    .map(([name, value]) => ({
      name,
      text: [value, percentDecoded(value), ...decodedTexts(value)].join('\n'),
    }));
  // Most keys occur nowhere. They are searched in all headers first, and only then by header.
  const everything = texts.map(({ text }) => text).join('\n');
  const shown = [...owned.keys()].filter((key) => everything.includes(key));
  const telling = texts.filter(({ text }) => shown.some((key) => text.includes(key)));
  return [...new Set(telling.map(({ name }) => `${TO_CLIENT.inHeader}${name}`))];
}

/** Key: the platform. Value: a pattern of a line that only its stack traces have. */
const TRACES: Readonly<Record<string, RegExp>> = {
  Python: /Traceback \(most recent call last\)|File "[^"\n]+\.py", line \d+/,
  Java: /\bat [\w$.]+\.[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  'Node.js':
    /\bat (?:async )?(?:[^\n()]{1,200} \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d+\)?/,
  PHP: /#\d+ [^\n]{1,300}\.php\(\d+\)|\bin \/?[^\s]{1,300}\.php(?: on line |:)\d+/,
  Ruby: /\.rb:\d+:in [`']/,
  Go: /\bgoroutine \d+ \[[a-z ,\d]+\]:/,
  '.NET': /\bat [\w.`<>[\]+]+\([^\n)]{0,300}\) in [^\n]{1,300}:line \d+/,
};

/** Returns the platform of a stack trace in the text, escaped or not; undefined: there is none. */
export function traceIn(text: string): string | undefined {
  const plain = text
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"')
    .replaceAll('\\/', '/')
    .replaceAll('\\\\', '\\');
  return Object.entries(TRACES).find(([, pattern]) => pattern.test(plain))?.[0];
}
