/** Finds secrets in an authorization server's answers that the client must not get (§1 rules 8, 9; §5). */
import { UPSTREAM_MARK } from '../../../wire/faults.ts';
import type { ExchangeEntry, StepEntry } from '../../entry.ts';
import { type Form, standingAlone } from '../canaries.ts';
import { decodedTexts, percentDecoded } from '../decoded-texts.ts';
import { type Knowledge, MIN_NAME_CHARS } from '../knowledge.ts';
import { hasForm } from '../sought-forms.ts';
import { algorithmOfHashIn } from './hashes.ts';

/** The step in which the client sent its request. */
export type AskingStep = Pick<StepEntry, 'seq' | 'scenario' | 'user' | 'step' | 'defect'>;

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
  exchange: ExchangeEntry,
  knowledge: Knowledge,
  asking: AskingStep | undefined,
): string[] {
  const { response } = exchange;
  if (!response) return [];
  const answer = new SearchedAnswer(response);
  const own = asking && knowledge.phoneOf(asking);
  const ofPerson =
    asking === undefined || own === undefined ? undefined : { exchange, answer, knowledge, asking, own };
  return [
    ...new Set([
      ...keysInHeaders(response.headers, knowledge),
      ...answer.placesWhere((text) => hasForm(text, knowledge.passwordForms)).map(told(TO_CLIENT.password)),
      ...answer.placesOf(UPSTREAM_MARK).map(told(TO_CLIENT.ehrError)),
      ...[...knowledge.digests].flatMap((digest) => answer.placesOf(digest).map(told(TO_CLIENT.digest))),
      ...(ofPerson ? [...codesIn(ofPerson), ...keysIn(ofPerson), ...othersIn(ofPerson)] : []),
    ]),
  ];
}

const told = (what: string) => (place: string) => `${what} in ${place}`;

/** The header fields and the body of an answer, with what they hide as base64. */
class SearchedAnswer {
  readonly places: readonly (readonly [place: string, text: string])[];
  readonly #everything: string;

  constructor({ headers, body }: NonNullable<ExchangeEntry['response']>) {
    const parts = [
      ...headers.map(([name, value]) => [`header ${name.toLowerCase()}`, value]),
      ['the body', body],
    ];
    this.places = parts.map(([place = '', text = '']) => [place, [text, ...decodedTexts(text)].join('\n')]);
    this.#everything = this.places.map(([, text]) => text).join('\n');
  }

  placesWhere(has: (text: string, place: string) => boolean): string[] {
    return this.places.filter(([place, text]) => has(text, place)).map(([place]) => place);
  }

  /** The places where a secret stands as it is. Most secrets stand nowhere, so all is searched at once first. */
  placesOf(secret: string): string[] {
    if (secret.length < MIN_SECRET_CHARS || !this.#everything.includes(secret)) return [];
    return this.placesWhere((text) => text.includes(secret));
  }
}

/** An answer to a step of the person whose phone is `own`. */
type OfPerson = {
  exchange: ExchangeEntry;
  answer: SearchedAnswer;
  knowledge: Knowledge;
  asking: AskingStep;
  own: string;
};

/**
 * Finds codes that the person has not entered yet: then the client does not know them. Codes to other phones
 * are not searched, because such short numbers occur by chance.
 */
function codesIn({ exchange: { seq }, answer, knowledge, own }: OfPerson): string[] {
  const codes = [...knowledge.codes].filter(([, sent]) =>
    sent.some(({ phone, usedAt }) => phone === own && seq < usedAt),
  );
  return codes.flatMap(([code]) => {
    const isSeenIn = (text: string, place: string) =>
      code.length >= MIN_SECRET_CHARS &&
      !HTTP_NUMBERS.test(place.replace('header ', '')) &&
      shows(text, knowledge.formsOf(code));
    const hashed = answer.places.flatMap(([place, text]) => {
      const hash = algorithmOfHashIn(text, knowledge.hashesOf(code, own));
      return hash === undefined ? [] : [`${told(TO_CLIENT.code)(place)} (as its ${hash})`];
    });
    return [...answer.placesWhere(isSeenIn).map(told(TO_CLIENT.code)), ...hashed];
  });
}

/** A value that the client sent itself tells it nothing new, even if it belongs to another person. */
const isSent = ({ request: { path, headers, body } }: ExchangeEntry, value: string): boolean =>
  [path, ...headers.map(([, each]) => each), body].some((text) => text.includes(value));

/** Finds tokens and signatures of others and, before the code is confirmed, of the person. */
function keysIn({ exchange, answer, knowledge, asking, own }: OfPerson): string[] {
  return [...knowledge.owned].flatMap(([value, { what, phone }]) => {
    if (phone === own && asking.step !== 'requestOtp') return [];
    const places = answer.placesOf(value);
    if (places.length === 0 || isSent(exchange, value)) return [];
    return places.map(told(what + (phone === own ? TO_CLIENT.unconfirmed : TO_CLIENT.ofAnother)));
  });
}

/**
 * Finds phones and users of others. In a step with a deliberate mistake (`defect`) the request may be about
 * another person, and nothing is searched.
 */
function othersIn({ exchange, answer, knowledge, asking, own }: OfPerson): string[] {
  if (asking.defect !== undefined) return [];
  return answer.places.flatMap(([place, text]) =>
    Array.from(text.matchAll(WORDS)).flatMap(([word]) => {
      const name = knowledge.names.get(word);
      if (!name || name.phone === own || isSent(exchange, word)) return [];
      return [told(name.what + TO_CLIENT.ofSomebodyElse)(place)];
    }),
  );
}

const WORDS = new RegExp(`[\\p{L}\\p{N}_-]{${MIN_NAME_CHARS},}`, 'gu');

function shows(text: string, forms: readonly Form[]): boolean {
  if (text === '') return false;
  const lower = text.toLowerCase();
  return forms.some(({ needle, code }) => {
    // A number within a longer number, or within a token, is another number.
    if (/^\d+$/.test(needle))
      return text.includes(needle) && new RegExp(standingAlone(needle), 'iu').test(text);
    if (code !== 'base64') return lower.includes(needle.toLowerCase());
    // A short code has only a few letters in base64, which occur by chance.
    return needle.length >= 8 && text.includes(needle);
  });
}

/** A cookie that no script of a page can read. */
const HTTP_ONLY = /;\s*httponly\s*(;|$)/i;

/** Lists the headers that show a token or a user_sign. A cookie that is HttpOnly is meant to carry one. */
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
