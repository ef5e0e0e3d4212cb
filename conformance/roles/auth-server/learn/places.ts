/** Finds where in an answer a value stands, in the words of an adapter file. */
import { headerIn } from '../../../engine/learn/exchange.ts';
import { wordsOf } from '../../../engine/learn/values.ts';
import type { Extraction } from '../../../engine/party/file/step-schema.ts';
import { claimsOf } from '../../../engine/party/requests/jwt-claims.ts';
import type { ClientCall } from './calls.ts';
import type { SignInEvidence } from './sign-in.ts';

export type AnswerPlace = { place: Extraction; name: string };

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

export type FoundPlace = { place: Extraction; evidence: string; value?: string };

const USER_NAME =
  /^(?:user|user id|uid|sub|subject|login|account id|person id|client id|member id|patient id|customer id)$/;
const USER_PARENT = /\b(?:user|account|member|me|profile|person|client|customer|patient|owner)\b/;
const TTL_NAME = /\b(?:ttl|lifetime|minutes|valid|validity|expires in|expires|max age)\b/;

/** Where the answer to the confirmation has the user. */
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

/** The score of a value whose name is that of a user. */
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
