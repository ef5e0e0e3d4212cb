/** Finds the sign-in in a recording: the phone, the code, its confirmation, and the session token. */
import { isSecretLike, type SeenValue, wordsOf } from '../../../engine/learn/values.ts';
import { bearerOf, type ClientCall, type EhrTraffic } from './calls.ts';
import { codeAt, codeIn, phoneIn, sameIn, usesOf } from './typed.ts';

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
  const [first] = candidates.toSorted((a, b) => b.token.score - a.token.score);
  if (!first) return undefined;
  const best = candidates.find(({ call }) => call === lastTry(first.call, opened, calls)) ?? first;
  const { call: confirm } = best;
  const token = best.token.value;
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
    token,
    tokens: same.flatMap((call) => sameIn([...call.given, ...call.sent], token) ?? []),
    credentials: credentialsOf(same, calls),
  };
}

/** Whether a confirmation was answered and opened no session, as where a page shows its form again. */
export const isRefusedAttempt = (call: ClientCall, { attempts, token, confirm }: SeenSignIn): boolean =>
  attempts.includes(call) &&
  token !== undefined &&
  sameIn(call.given, token) === undefined &&
  (call.number < confirm.number || sameIn(call.sent, token) === undefined);

/** The last of the attempts that follow one another: those before it were refused. */
function lastTry(first: ClientCall, opened: readonly ClientCall[], calls: readonly ClientCall[]): ClientCall {
  const next = opened.find(({ number }) => number > first.number);
  const isBetween = ({ number, exchange }: ClientCall) =>
    next !== undefined && number > first.number && number < next.number && exchange.request.method !== 'GET';
  return next?.title !== first.title || calls.some(isBetween) || usesNew(first, calls)
    ? first
    : lastTry(next, opened, calls);
}

/** Whether later calls send a value that this answer gave. */
const usesNew = (call: ClientCall, calls: readonly ClientCall[]): boolean =>
  call.given.some(({ value }) => isSecretLike(value) && usesOf(value, call, calls).length > 0);

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
  return withPhone.find(({ words }) => SENDING.test(words)) ?? withPhone[0] ?? writes.at(-1);
}

const SENDING = /\b(?:otp|code|sms|send|request|deliver|dispatch)/;

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
