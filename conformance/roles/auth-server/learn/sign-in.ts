/** Finds the sign-in in a recording: the phone, the code, its confirmation, and the session token. */
import { type SeenValue, wordsOf } from '../../../engine/learn/values.ts';
import { bearerOf, type ClientCall, type EhrTraffic } from './calls.ts';

/** The sign-in of a recording. */
export type SeenSignIn = {
  /** The phone, as the first request writes it; '' where none was found. */
  readonly phone: string;
  /** The codes that were typed in, that of {@link confirm} first. None where the sign-in has no code. */
  readonly codes: readonly string[];
  /** The confirmation that opened a session. */
  readonly confirm: ClientCall;
  /** The request for the code; undefined where there is none. */
  readonly request: ClientCall | undefined;
  /** All confirmations, those that were refused too. */
  readonly attempts: readonly ClientCall[];
  /** The session token; undefined where nothing of the answer is sent again. */
  readonly token: SeenValue | undefined;
  /** The tokens of all sessions that were opened. */
  readonly tokens: readonly string[];
  /** Whatever one sign-in alone gave and later calls send: the token, and a cookie or bearer beside it. */
  readonly credentials: readonly string[];
};

/** What the sign-in is found by. */
export type SignInEvidence = {
  readonly calls: readonly ClientCall[];
  readonly ehr: EhrTraffic;
  readonly signIn: SeenSignIn;
};

/** Names that a code has, and names of other numbers of four to eight digits. */
const CODE_NAME =
  /\b(?:otp|code|pin|sms|passcode|one time|tan|kod|2fa|mfa|verification|confirmation|totp|secret|answer)\b/;
const NO_CODE_NAME =
  /\b(?:year|date|birth\w*|zip|postal|country|version|limit|offset|page|time|ts|ttl|phone|amount)\b/;
const CONFIRM_WORDS =
  /\b(?:confirm|verify|verification|check|login|log in|sign in|signin|auth|session|token|validate|answer|challenge|complete|finish)/;
const PHONE_NAME =
  /\b(?:phone|mobile|msisdn|tel|telephone|cell|contact|telefon|handy|number|to|login|user|username|identifier|account)\b/;
const STRONG_PHONE_NAME = /\b(?:phone|mobile|msisdn|tel|telephone|cell|telefon|handy)\b/;

/** Finds the sign-in; undefined where no answer opens a session. */
export function findSignIn(calls: readonly ClientCall[], ehr: EhrTraffic): SeenSignIn | undefined {
  const withCode = codeIn(calls);
  const attempts = withCode
    ? calls.filter((call) => call.title === withCode.call.title && codeAt(call, withCode.value) !== undefined)
    : calls.filter(({ isPage }) => !isPage);
  const opened = attempts.filter(({ isAnswered }) => isAnswered);
  const candidates = opened
    .map((call) => ({ call, token: tokenOf(call, calls, ehr) }))
    .filter(({ token }) => withCode !== undefined || token.score >= SURE_TOKEN);
  // Of several sign-ins the one counts whose token is used most.
  const [best] = candidates.toSorted((a, b) => b.token.score - a.token.score);
  if (!best) return undefined;
  const { call: confirm, token } = best;
  const phone = phoneIn(calls.filter(({ number }) => number <= confirm.number));
  const code = withCode && codeAt(confirm, withCode.value);
  const all = withCode ? attempts.flatMap((call) => codeAt(call, withCode.value) ?? []) : [];
  const same = attempts.filter(({ title }) => title === confirm.title);
  return {
    phone,
    codes: [...new Set(code === undefined ? all : [code, ...all])],
    confirm,
    attempts: same,
    request: withCode && requestOf(calls, confirm, phone),
    token: token.value,
    tokens: same.flatMap((call) => sameIn(call.given, token.value) ?? []),
    credentials: credentialsOf(same, calls),
  };
}

/** What the code of another attempt is: the value at the same place. */
function codeAt(call: ClientCall, code: SeenValue): string | undefined {
  const found = sameIn(call.sent, code);
  return found !== undefined && isCode(found) ? found : undefined;
}

/** The value that stands at the place of another value. */
export const sameIn = (values: readonly SeenValue[], like: SeenValue | undefined): string | undefined =>
  values.find(
    ({ place, name }) => place.in === like?.place.in && place.key === like.place.key && name === like.name,
  )?.value;

const isCode = (value: string) => /^\d{4,8}$/.test(value);

/** The request that sends a code, and the code; by its name, its place in the flow and what it brings. */
function codeIn(calls: readonly ClientCall[]): { call: ClientCall; value: SeenValue } | undefined {
  const scored = calls.flatMap((call) =>
    call.sent
      .filter(({ value, place }) => isCode(value) && !['header', 'cookie'].includes(place.in))
      .map((value) => ({ call, value, score: codeScore(call, value, calls) })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= 5 ? best : undefined;
}

function codeScore(call: ClientCall, { value, name }: SeenValue, calls: readonly ClientCall[]): number {
  const words = wordsOf(name);
  const before = calls.filter(({ number }) => number < call.number);
  const wasGiven = before.some(({ given }) => given.some((each) => each.value === value));
  return (
    (CODE_NAME.test(words) ? 4 : 0) -
    (NO_CODE_NAME.test(words) ? 6 : 0) +
    (CONFIRM_WORDS.test(call.words) ? 2 : 0) +
    (phoneIn([...before, call]) === '' ? 0 : 2) +
    (call.given.some((given) => usesOf(given.value, call, calls).length > 0) ? 3 : 0) -
    (wasGiven ? 2 : 0) -
    (call.exchange.request.method === 'GET' ? 2 : 0)
  );
}

/** The phone that these calls send; '' where there is none. The first calls send it. */
function phoneIn(calls: readonly ClientCall[]): string {
  const scored = calls.flatMap(({ sent }, index) =>
    sent
      .filter(({ place }) => !['header', 'cookie'].includes(place.in))
      .map(({ value, name }) => ({ value, score: phoneScore(value, wordsOf(name)) - index / 100 })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= 2 ? best.value : '';
}

function phoneScore(value: string, words: string): number {
  const digits = value.replace(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(value) || digits.length < 7 || digits.length > 15) return 0;
  const isTime = /^1[67]\d{8}(?:\d{3})?$/.test(value) && !PHONE_NAME.test(words);
  if (isTime || /^\d{4}-\d\d-\d\d/.test(value)) return 0;
  const named = STRONG_PHONE_NAME.test(words) ? 3 : PHONE_NAME.test(words) ? 2 : 0;
  return named + (digits.length >= 10 ? 1 : 0) + (value.startsWith('+') ? 1 : 0);
}

/** The request for the code: the first that sends the phone and was answered, before the confirmation. */
function requestOf(calls: readonly ClientCall[], confirm: ClientCall, phone: string): ClientCall | undefined {
  const before = calls.filter(
    ({ number, isAnswered, isPage, title }) =>
      number < confirm.number && isAnswered && !isPage && title !== confirm.title,
  );
  const digits = phone.replace(/\D/g, '');
  const withPhone = before.filter(
    ({ sent }) => phone !== '' && sent.some(({ value }) => value.replace(/\D/g, '') === digits),
  );
  const writes = before.filter(({ exchange }) => exchange.request.method !== 'GET');
  return (
    withPhone.find(({ words }) => /\b(?:otp|code|sms|send|request)/.test(words)) ??
    withPhone[0] ??
    writes.at(-1)
  );
}

/** Shorter values open no session. */
const MIN_TOKEN_CHARS = 8;
/** Above this a value of an answer is taken for a session token without a code before it. */
const SURE_TOKEN = 5;
const COOKIE_OF_ANOTHER_KIND = /csrf|xsrf|locale|lang|theme|consent|^_ga|^_gid/i;

/** The session token among the values of an answer: how the calls afterwards send it decides. */
function tokenOf(confirm: ClientCall, calls: readonly ClientCall[], ehr: EhrTraffic) {
  const scored = confirm.given
    .filter(({ value }) => value.length >= MIN_TOKEN_CHARS)
    .map((value) => ({ value, score: tokenScore(value, confirm, { calls, ehr }) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= 3 ? best : { value: undefined, score: 0 };
}

function tokenScore(
  { value, name, place }: SeenValue,
  confirm: ClientCall,
  { calls, ehr }: { calls: readonly ClientCall[]; ehr: EhrTraffic },
): number {
  const words = wordsOf(name);
  const uses = usesOf(value, confirm, calls);
  const wayOf = (call: ClientCall) => {
    if (bearerOf(call) === value || Object(call.rpc?.cred).token === value) return 5;
    const at = call.sent.find((sent) => sent.value === value);
    if (at?.place.in === 'cookie') return COOKIE_OF_ANOTHER_KIND.test(at.name) ? 0 : 4;
    return at?.place.in === 'header' || /token|session|sid|key|auth/.test(wordsOf(at?.name ?? '')) ? 3 : 1;
  };
  const way = Math.max(0, ...uses.map(wayOf));
  // Browsers may leave credentials out of a recording; then the name alone tells.
  const named = /\b(?:token|session|bearer|jwt|access|sid|ticket)\b/.test(words) ? 2 : 0;
  const isOther =
    /refresh|csrf|xsrf|device/.test(words) || (place.in === 'cookie' && COOKIE_OF_ANOTHER_KIND.test(name));
  return (
    (ehr.token === value ? 10 : 0) +
    way +
    named +
    Math.min(uses.length, 4) / 2 -
    (isOther ? 4 : 0) +
    (value.length >= 16 ? 1 : 0)
  );
}

/** The values that one sign-in alone gave and later calls send. */
function credentialsOf(attempts: readonly ClientCall[], calls: readonly ClientCall[]): string[] {
  return attempts.flatMap((attempt) =>
    attempt.given
      .map(({ value }) => value)
      .filter(
        (value) =>
          value.length >= MIN_TOKEN_CHARS &&
          usesOf(value, attempt, calls).length > 0 &&
          attempts.every((other) => other === attempt || other.given.every((each) => each.value !== value)),
      ),
  );
}

/** The later calls that send a value. */
export const usesOf = (value: string, after: ClientCall, calls: readonly ClientCall[]): ClientCall[] =>
  calls.filter(({ number, sent }) => number > after.number && sent.some((each) => each.value === value));
