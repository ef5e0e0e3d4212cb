/** Finds which calls of a recording, after the sign-in, are which steps of a client, and why. */
import type { clientSteps } from '../../../engine/journal/names.ts';
import { isSecretLike, wordsOf } from '../../../engine/learn/exchange.ts';
import { answerPlace, type FoundPlace, findSignIn, type SignInEvidence, userPlace } from './find-sign-in.ts';
import { type ClientCall, type EhrTraffic, usesOf } from './read-calls.ts';

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
  for (const { step, rate } of RATES) {
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
/** The score of a call with a value that goes to the EHR server or comes from it: more than names add up to. */
const SENT_TO_EHR = 10;

type Scoring = SignInEvidence & { after: readonly ClientCall[] };

type Rating = { score: number; evidence: string };

function rateExchangeToken(call: ClientCall, scoring: Scoring): Rating {
  const { exchangeToken } = scoring.ehr;
  if (exchangeToken !== undefined && answerPlace(call, exchangeToken))
    return {
      score: SENT_TO_EHR,
      evidence: 'the EHR server is sent a value of its answer as the exchange token',
    };
  const names = call.given.map(({ name }) => wordsOf(name)).join(' ');
  const isNamed = /\bexchange|\bticket|\behr\b/.test(call.words);
  const score =
    1 +
    (isNamed ? 3 : /\bexchange|\bticket/.test(names) ? 2 : 0) +
    (sendsSession(call, scoring) ? 1 : 0) +
    (isEndingKind(call) ? 1 : 0);
  return {
    score: freshIn(call, scoring) ? score : 0,
    evidence: 'its answer has a value that no other request sends to the server',
  };
}

function rateReport(call: ClientCall, scoring: Scoring): Rating {
  const { userSign } = scoring.ehr;
  if (userSign !== undefined && call.sent.some(({ value }) => value === userSign))
    return { score: SENT_TO_EHR, evidence: 'it sends the signature that the EHR server answered' };
  const names = call.sent.map(({ name }) => wordsOf(name)).join(' ');
  const score =
    (/\blink|\bbind|\bbound|\bconnect|\breport/.test(call.words) ? 2 : 0) +
    (/\bsign\b|\bsignature\b/.test(names) ? 2 : 0) +
    (reported(call, scoring) === undefined ? 0 : 1);
  return {
    score: LOGOUT_WORDS.test(call.words) || call.method === 'DELETE' ? 0 : score,
    evidence: 'it sends a value that no answer of the server gave',
  };
}

function rateDeletion(call: ClientCall, scoring: Scoring): Rating {
  const { method, words } = call;
  const isOfUser =
    /\buser|\baccount|\bme\b|\bprofile|\bperson|\bcustomer|\bmember|\bpatient|\bself\b|\bdata\b/.test(words);
  const isNamed = /\b(?:delete|remove|erase|forget|close|unregister|deactivate|destroy|purge)/.test(words);
  const isOfSession = LOGOUT_WORDS.test(words) || (method === 'DELETE' && /\bsession|\btoken/.test(words));
  const score =
    (isNamed && isOfUser ? 4 : 0) +
    (method === 'DELETE' && isOfUser ? 4 : 0) +
    (isLast(call, scoring) ? 1 : 0) -
    // The page that asks for a confirmation has the name of the deletion, too.
    (isEndingKind(call) ? 0 : 1);
  return { score: isOfSession ? 0 : score, evidence: 'its name speaks of removing the user' };
}

function rateLogout(call: ClientCall, scoring: Scoring): Rating {
  const isOfSession = call.method === 'DELETE' && /\bsession|\btoken|\bauth|\blogin/.test(call.words);
  const isNamed = LOGOUT_WORDS.test(call.words) || isOfSession;
  return {
    score: (isNamed ? 4 : 0) + (isLast(call, scoring) && isEndingKind(call) ? 3 : 0),
    evidence: isNamed ? 'its name speaks of an end' : 'no later request sends the session',
  };
}

/** The steps after the sign-in, the surest first: a call that is taken for one step is taken for no other. */
const RATES = [
  { step: 'exchangeToken', rate: rateExchangeToken },
  { step: 'reportLink', rate: rateReport },
  { step: 'deleteUser', rate: rateDeletion },
  { step: 'logout', rate: rateLogout },
] as const;

const LOGOUT_WORDS =
  /\blog ?out|\bsign ?out|\blog ?off|\bsign ?off|\bend session|\brevoke|\binvalidate|\bquit\b|\bexit\b|\babmelden/;
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
