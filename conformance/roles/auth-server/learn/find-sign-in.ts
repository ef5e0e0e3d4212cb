/** Finds the sign-in in a recording: the phone, the code, its confirmation, and the session token. */
import { headerIn, isSecretLike, type SeenValue, wordsOf } from '../../../engine/learn/exchange.ts';
import type { Extraction } from '../../../engine/party/file/step-schema.ts';
import { claimsOf } from '../../../engine/party/requests/json.ts';
import { codeAt, codeIn, phoneIn, sameIn } from './find-code-and-phone.ts';
import { bearerOf, type ClientCall, type EhrTraffic, usesOf } from './read-calls.ts';

export type AnswerPlace = { place: Extraction; name: string };

export type FoundPlace = { place: Extraction; evidence: string; value?: string };

export type SeenSignIn = {
  readonly phone: string;
  /** The codes that were typed in, that of {@link confirm} first. None where the sign-in has no code. */
  readonly codes: readonly string[];
  /** The confirmation that opened a session. */
  readonly confirm: ClientCall;
  readonly request: ClientCall | undefined;
  readonly attempts: readonly ClientCall[];
  /** The session token; undefined where nothing of the answer is sent again. */
  readonly token: SeenValue | undefined;
  /** The tokens of all sessions that were opened. */
  readonly tokens: readonly string[];
  /** Whatever one sign-in alone gave and later calls send: the token, and a cookie or bearer beside it. */
  readonly credentials: readonly string[];
};

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

/** Where the answer to a call has this value; undefined: it has not. */
export function answerPlace({ given, exchange }: ClientCall, value: string): AnswerPlace | undefined {
  const found = given.find((each) => each.value === value);
  if (!found) return undefined;
  const { in: where, key } = found.place;
  if (where === 'json') return { place: key, name: found.name || 'value' };
  if (where === 'cookie') return { place: { cookie: key }, name: key };
  const isWhole = headerIn(exchange.answer.headers, key) === value;
  return { place: isWhole ? { header: key } : { header: key, pattern: '(\\S+)$' }, name: key };
}

const USER_NAME =
  /^(?:user|user id|uid|sub|subject|login|account id|person id|client id|member id|patient id|customer id)$/;
const USER_PARENT = /\b(?:user|account|member|me|profile|person|client|customer|patient|owner)\b/;
const TTL_NAME = /\b(?:ttl|lifetime|minutes|valid|validity|expires in|expires|max age)\b/;

export function userPlace({ signIn, ehr, calls }: SignInEvidence): FoundPlace {
  const { confirm, phone } = signIn;
  const told = ehr.user ?? calls.map(({ rpc }) => Object(rpc?.cred).user).find((user) => user !== undefined);
  const digits = phone.replace(/\D/g, '');
  if (told !== undefined) {
    const at = answerPlace(confirm, String(told)) ?? claimPlace(confirm, String(told));
    if (at) return { place: at.place, evidence: 'later calls send it as the user', value: String(told) };
    if (digits !== '' && String(told).replace(/\D/g, '') === digits)
      return { place: { value: '${phone}' }, evidence: 'the phone is the user' };
  }
  const subject = claimsOf(signIn.token?.value ?? '')?.sub;
  const scored = confirm.given
    .filter(({ value, place }) => value !== signIn.token?.value && ['json', 'cookie'].includes(place.in))
    .map((given) => {
      const isSubject = given.value === String(subject);
      if (isSubject) return { given, score: 4, evidence: 'it is the subject of the token' };
      return { given, score: userScore(given.name, given.place.key), evidence: 'its name says so' };
    });
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  const claim = subject === undefined ? undefined : claimPlace(confirm, String(subject));
  if (claim && !(best && best.score >= SURE_USER))
    return { place: claim.place, evidence: 'it is the subject of the token', value: String(subject) };
  const at = best && best.score > 0 ? answerPlace(confirm, best.given.value) : undefined;
  if (best && at) return { place: at.place, evidence: best.evidence, value: best.given.value };
  return { place: { value: '${phone}' }, evidence: 'the answer names no user, so the phone is taken for it' };
}

/** A name with so many points is that of the user, and counts before the subject of the token. */
const SURE_USER = 3;

function userScore(name: string, key: string): number {
  const words = wordsOf(name);
  if (USER_NAME.test(words)) return SURE_USER;
  const isId = words === 'id' || words === 'guid' || words === 'uuid';
  if (isId) return USER_PARENT.test(wordsOf(key.slice(0, -name.length))) ? SURE_USER : 1;
  return 0;
}

/** The claim of a JSON Web Token in the answer that has this value; its subject before others. */
function claimPlace({ given }: ClientCall, value: string): AnswerPlace | undefined {
  const claims = given
    .filter(({ place }) => place.in === 'json')
    .flatMap((each) =>
      Object.entries(claimsOf(each.value) ?? {})
        .filter(([, claimed]) => String(claimed) === value)
        .map(([claim]) => ({ place: { jwt: each.place.key, claim }, name: claim })),
    );
  return claims.find(({ name }) => name === 'sub') ?? claims[0];
}

/** Where the answer has the lifetime of the session, in minutes. */
export function ttlPlace({
  signIn: { confirm },
}: SignInEvidence): FoundPlace | { isInSeconds: true } | undefined {
  const found = confirm.given.find(
    ({ name, value, place }) =>
      place.in === 'json' && /^\d{1,9}$/.test(value) && TTL_NAME.test(wordsOf(name)),
  );
  if (!found) return undefined;
  const words = wordsOf(found.name);
  const isInSeconds =
    /sec|expires in|max age/.test(words) || (!/min/.test(words) && Number(found.value) % 3_600 === 0);
  return isInSeconds ? { isInSeconds } : { place: found.place.key, evidence: 'its name says so' };
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

const MIN_TOKEN_CHARS = 8;
/** Each sign adds points. A token needs so many, such as those of a cookie that later calls send (4). */
const MIN_TOKEN_SCORE = 3;
/** Above this a value of an answer is taken for a session token without a code before it. */
const SURE_TOKEN = 5;
const COOKIE_OF_ANOTHER_KIND = /csrf|xsrf|locale|lang|theme|consent|^_ga|^_gid/i;

/** The session token among the values of an answer: how the calls afterwards send it decides. */
function tokenOf(confirm: ClientCall, calls: readonly ClientCall[], ehr: EhrTraffic) {
  const scored = confirm.given
    .filter(({ value }) => value.length >= MIN_TOKEN_CHARS)
    .map((value) => ({ value, score: tokenScore(value, confirm, { calls, ehr }) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= MIN_TOKEN_SCORE ? best : { value: undefined, score: 0 };
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
