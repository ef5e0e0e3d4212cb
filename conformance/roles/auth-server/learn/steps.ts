/** Finds which calls of a recording, after the sign-in, are which steps of a client, and why. */

import type { clientSteps } from '../../../engine/journal/names.ts';
import { isSecretLike, wordsOf } from '../../../engine/learn/exchange.ts';
import { type ClientCall, type EhrTraffic, usesOf } from './calls.ts';
import { answerPlace, type FoundPlace, findSignIn, type SignInEvidence, userPlace } from './sign-in.ts';

export type ClientStep = (typeof clientSteps)[number];

export type FoundStep = { readonly call: ClientCall; readonly evidence: string };

export type Findings = SignInEvidence & {
  readonly user: FoundPlace;
  readonly steps: Readonly<Partial<Record<ClientStep, FoundStep>>>;
  /** The user's signature, which the client reports or sends with its next sign-in. */
  readonly userSign: string | undefined;
  readonly exchangeToken: string | undefined;
};

/** Finds the steps; undefined where not even a sign-in is found. */
export function findSteps(calls: readonly ClientCall[], ehr: EhrTraffic): Findings | undefined {
  const signIn = findSignIn(calls, ehr);
  if (!signIn) return undefined;
  const { confirm, request } = signIn;
  const after = calls.filter(
    ({ number, title, isAnswered }) =>
      number > confirm.number && title !== confirm.title && title !== request?.title && isAnswered,
  );
  const scoring: Scoring = { calls, ehr, signIn, after };
  const steps: Partial<Record<ClientStep, FoundStep>> = {
    ...(request && {
      requestOtp: { call: request, evidence: 'it comes before the code is typed in, and sends the phone' },
    }),
    confirmOtp: { call: confirm, evidence: 'its answer opens the session' },
  };
  for (const [step, rate] of RATES) {
    const taken = Object.values(steps).map(({ call }) => call.title);
    const [best] = after
      .filter(({ title }) => !taken.includes(title))
      .map((call) => ({ call, ...rate(call, scoring) }))
      .toSorted((a, b) => b.score - a.score || a.call.number - b.call.number);
    if (best && best.score >= SURE) steps[step] = { call: best.call, evidence: best.evidence };
  }
  return {
    calls,
    ehr,
    signIn,
    user: userPlace(scoring),
    steps,
    userSign: ehr.userSign ?? reported(steps.reportLink?.call, scoring),
    exchangeToken: ehr.exchangeToken ?? (steps.exchangeToken && freshIn(steps.exchangeToken.call, scoring)),
  };
}

/** A call below this score is not taken for the step. */
const SURE = 3;

type Scoring = SignInEvidence & { after: readonly ClientCall[] };

type Rate = (call: ClientCall, scoring: Scoring) => { score: number; evidence: string };

/** The sure signs are the values that go to the EHR server and come from it; names count less. */
const RATES: readonly (readonly [ClientStep, Rate])[] = [
  [
    'exchangeToken',
    (call, scoring) => {
      const { exchangeToken } = scoring.ehr;
      if (exchangeToken !== undefined && answerPlace(call, exchangeToken))
        return { score: 10, evidence: 'the EHR server is sent a value of its answer as the exchange token' };
      const names = call.given.map(({ name }) => wordsOf(name)).join(' ');
      const isNamed = /\bexchange|\bticket|\behr\b/.test(call.words)
        ? 3
        : /\bexchange|\bticket/.test(names)
          ? 2
          : 0;
      const score = freshIn(call, scoring)
        ? 1 + isNamed + (sendsSession(call, scoring) ? 1 : 0) + (isEndingKind(call) ? 1 : 0)
        : 0;
      return { score, evidence: 'its answer has a value that no other request sends to the server' };
    },
  ],
  [
    'reportLink',
    (call, scoring) => {
      const { userSign } = scoring.ehr;
      if (userSign !== undefined && call.sent.some(({ value }) => value === userSign))
        return { score: 10, evidence: 'it sends the signature that the EHR server answered' };
      const names = call.sent.map(({ name }) => wordsOf(name)).join(' ');
      const isNamed = /\blink|\bbind|\bbound|\bconnect|\breport/.test(call.words) ? 2 : 0;
      const isSigned = /\bsign\b|\bsignature\b/.test(names) ? 2 : 0;
      const score = isNamed + isSigned + (reported(call, scoring) === undefined ? 0 : 1);
      return {
        score: isEnd(call) ? 0 : score,
        evidence: 'it sends a value that no answer of the server gave',
      };
    },
  ],
  [
    'deleteUser',
    (call, scoring) => {
      const { method } = call;
      const isAbout =
        /\buser|\baccount|\bme\b|\bprofile|\bperson|\bcustomer|\bmember|\bpatient|\bself\b|\bdata\b/.test(
          call.words,
        );
      const isNamed = /\b(?:delete|remove|erase|forget|close|unregister|deactivate|destroy|purge)/.test(
        call.words,
      );
      const isOfSession =
        LOGOUT_WORDS.test(call.words) || (method === 'DELETE' && /\bsession|\btoken/.test(call.words));
      const score =
        (isNamed && isAbout ? 4 : 0) +
        (method === 'DELETE' && isAbout ? 4 : 0) +
        (isLast(call, scoring) ? 1 : 0) -
        // The page that asks for a confirmation has the name of the deletion, too.
        (isEndingKind(call) ? 0 : 1);
      return { score: isOfSession ? 0 : score, evidence: 'its name speaks of removing the user' };
    },
  ],
  [
    'logout',
    (call, scoring) => {
      const isNamed = LOGOUT_WORDS.test(call.words);
      const isOfSession = call.method === 'DELETE' && /\bsession|\btoken|\bauth|\blogin/.test(call.words);
      const isEnding = isLast(call, scoring) && isEndingKind(call) && sendsSession(call, scoring);
      const named = isNamed || isOfSession;
      return {
        score: (named ? 4 : 0) + (isEnding ? 3 : 0),
        evidence: named ? 'its name speaks of an end' : 'no later request sends the session',
      };
    },
  ],
];

const LOGOUT_WORDS =
  /\blog ?out|\bsign ?out|\blog ?off|\bsign ?off|\bend session|\brevoke|\binvalidate|\bquit\b|\bexit\b|\babmelden/;
const isEnd = ({ words, method }: ClientCall) => LOGOUT_WORDS.test(words) || method === 'DELETE';
const isEndingKind = ({ method }: ClientCall) => method !== 'GET';

const sessionOf = ({ sent }: ClientCall, { signIn: { credentials } }: Scoring): string[] =>
  credentials.filter((credential) => sent.some(({ value }) => value === credential));

const sendsSession = (call: ClientCall, scoring: Scoring): boolean =>
  scoring.signIn.token === undefined || sessionOf(call, scoring).length > 0;

const isLast = (call: ClientCall, scoring: Scoring): boolean =>
  sendsSession(call, scoring) &&
  sessionOf(call, scoring).every((credential) => usesOf(credential, call, scoring.after).length === 0);

/** A secret that this answer gives first and that the server is never sent. */
function freshIn(call: ClientCall, { calls, signIn: { tokens, credentials } }: Scoring): string | undefined {
  const isFresh = (value: string) =>
    ![...tokens, ...credentials].includes(value) &&
    isSecretLike(value) &&
    calls.every(({ number, sent, given }) =>
      number < call.number
        ? given.every((each) => each.value !== value)
        : sent.every((each) => each.value !== value),
    );
  const given = call.isPage ? [] : call.given.filter(({ place }) => place.in !== 'cookie');
  const fresh = given.filter(({ value }) => isFresh(value));
  const named = fresh.find(({ name }) => /\bexchange|\bticket/.test(wordsOf(name)));
  return (named ?? fresh.find(({ name }) => /\btoken|\bvalue|\bkey|\bcode/.test(wordsOf(name))) ?? fresh[0])
    ?.value;
}

/** A value of the body that no answer of the server gave: the signature of the user. */
function reported(call: ClientCall | undefined, { calls, signIn }: Scoring): string | undefined {
  const own = call?.sent.filter(
    ({ value, place }) =>
      ['json', 'form', 'query', 'text'].includes(place.in) &&
      isSecretLike(value) &&
      ![signIn.phone, ...signIn.codes].includes(value) &&
      !calls.some(({ given }) => given.some((each) => each.value === value)),
  );
  return (own?.find(({ name }) => /\bsign/.test(wordsOf(name))) ?? own?.[0])?.value;
}
