/** Rules of every action that a person takes in the client: which calls it may make, and how often. */
import type { Check } from '../../../../engine/check/check.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { groupBy } from '../../../../engine/journal/group-by.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { EHR_METHODS, isRemoval, NOT_AUTHENTICATED } from '../../servers/calls.ts';
import { before, stepRule } from './rule.ts';

const { read, authenticate, logOut, disconnect } = EHR_METHODS;
const AUTH_ENDINGS = ['auth.logout', 'auth.delete_user'];

const methodOf = ({ facts }: ExchangeEntry): string => facts.call?.method ?? '';

const isSuccess = ({ fault, facts }: ExchangeEntry): boolean =>
  fault === undefined && facts.reply?.result === true;

/** A deletion that leaves the EHR server alone is left to the client. */
function endedAtAuthFirst({ exchanges }: PlayedStep, earlier: readonly PlayedStep[]): string | undefined {
  if (earlier.some(({ step }) => step.step === 'otherTab')) return undefined;
  // Whether the EHR server knows the session, as far as its answers have said until now.
  let isKnown = false;
  // Whether the client has tried in vain to end the link there: it then deletes at both servers.
  let isTried = false;
  for (const each of [...earlier.flatMap((played) => played.exchanges), ...exchanges]) {
    const method = methodOf(each);
    if ((method === read || method === authenticate) && isSuccess(each)) isKnown = true;
    // A refusal of the removal, or of the record, says that the EHR server knows no session.
    const isRefused = (isRemoval(method) || method === read) && hasNoSession(each);
    const isDone = isRemoval(method) && (isSuccess(each) || isOfAnotherCall(each));
    if (method === 'auth.confirm_otp' || isRefused || isDone) isKnown = false;
    if (method === disconnect) isTried = !isDone;
    if (method === 'auth.confirm_otp' || (method === authenticate && isSuccess(each))) isTried = false;
    const isOfBoth =
      method !== 'auth.delete_user' || isTried || laterIn(exchanges, each).includes(disconnect);
    if (AUTH_ENDINGS.includes(method) && isKnown && isOfBoth && exchanges.includes(each))
      return `${method} is called while the EHR server knows the session`;
  }
  return undefined;
}

/** Whether the server carried the call out, but gave another reply. Further checks judge who takes it. */
export const isOfAnotherCall = ({ fault }: ExchangeEntry): boolean =>
  fault === 'wrong-id' || fault === 'result-and-error';

const laterIn = (exchanges: readonly ExchangeEntry[], one: ExchangeEntry): string[] =>
  exchanges.slice(exchanges.indexOf(one) + 1).map(methodOf);

const hasNoSession = ({ facts }: ExchangeEntry): boolean => NOT_AUTHENTICATED.has(facts.reply?.code);

/** Methods that change something for good, or whose every call counts as a try. */
const CHANGING = [
  ...['auth.request_otp', 'auth.confirm_otp', 'auth.logout', 'auth.delete_user'],
  ...[authenticate, logOut, disconnect],
];
const LINK_ENDINGS: readonly string[] = [disconnect, 'auth.delete_user'];
const ASKED_BY: ReadonlySet<string> = new Set(['disconnect', 'deleteAccount']);
const COUNTED = ['auth.request_otp', 'auth.confirm_otp', authenticate];
const NEW_CODE = new Set(['otp_expired', 'otp_exhausted']);
/** The most calls of one method in one action: above any sensible number of retries. */
const MAX_CALLS = 10;

export const linksEndWhenAsked: Check = stepRule('links-end-when-asked', {
  title: 'The record is disconnected, and the account deleted, only when the person has asked for it',
  requirements: ['K-client-ends-when-asked'],
  scenarios: ['errors-of-authenticate-told', 'form-after-refusal', 'logout-ehr-first', 'deletion-ehr-first'],
  of: ({ exchanges }) => exchanges.some((each) => LINK_ENDINGS.includes(methodOf(each))),
  wrong: (played, journal) => {
    const { exchanges } = played;
    // A client may repeat a failed call in a later step.
    const isAsked = [...before(played, journal), played].some((each) => ASKED_BY.has(each.step.step));
    const ending = exchanges.map(methodOf).find((method) => LINK_ENDINGS.includes(method));
    return isAsked ? undefined : `${ending} is called`;
  },
  expected: `no ${disconnect} or auth.delete_user before the person asks to disconnect or to delete`,
  advice: 'Tell the person what stands in the way, and let them decide whether to disconnect the record.',
});

export const actionRules: readonly Check[] = [
  stepRule('one-action-one-call', {
    title: 'One action of the person makes no call twice that changes something and has succeeded',
    requirements: ['K-client-acts-once'],
    scenarios: ['exchange-token-first', 'logout-ehr-first', 'deletion-ehr-first'],
    of: isSingle,
    wrong: ({ exchanges }) => succeededTwice(exchanges, CHANGING),
    expected: 'each of these calls once for one action',
    advice: 'Make each call in one place, and ignore a second event of the same action.',
  }),
  stepRule('refused-try-not-repeated', {
    title: 'A code or a form that is refused is not sent again before the person has acted',
    requirements: ['K-client-acts-once'],
    scenarios: ['wrong-code-told', 'no-match-keeps-form', 'errors-of-authenticate-told'],
    of: isSingle,
    wrong: ({ exchanges }) => refusedAgain(exchanges),
    expected: 'each try once',
    advice: 'A refused try stays refused, and counts: tell the person.',
  }),
  stepRule('codes-asked-for-by-person', {
    title: 'A code is asked for when the person asks, and not by itself',
    requirements: ['K-client-acts-once'],
    scenarios: ['trouble-at-confirm-otp', 'wrong-code-told', 'user-sign-outlives-session'],
    of: isSingle,
    wrong({ step, exchanges }) {
      if (step.step === 'signIn' || step.step === 'resend') return undefined;
      const at = exchanges.findIndex((each) => methodOf(each) === 'auth.request_otp');
      const isNeeded = exchanges
        .slice(0, Math.max(at, 0))
        .some(({ facts }) => NEW_CODE.has(facts.reply?.reason ?? '') || isSessionOver(facts.reply?.code));
      return at < 0 || isNeeded ? undefined : 'auth.request_otp is called';
    },
    expected: 'auth.request_otp at the sign-in, and when the person wants another code',
    advice: 'Each code is a message to a phone, and makes the one before it useless: offer it, and wait.',
  }),
  stepRule('ehr-first-in-every-ending', {
    title: 'Wherever a session that the EHR server knows is ended, the EHR server has ended it first',
    requirements: ['4.5-ehr-first', '4.6-ehr-first', '4.5-auth-after-success', '4.6-auth-after-success'],
    scenarios: [
      'leaving-logs-out',
      'logout-after-success-alone',
      'deletion-after-success-alone',
      'deletion-ehr-first',
    ],
    of: ({ exchanges }) => exchanges.some((each) => AUTH_ENDINGS.includes(methodOf(each))),
    wrong: (step, journal) => endedAtAuthFirst(step, before(step, journal)),
    expected: 'a success of remove_auth_info or remove_authentication before auth.logout or auth.delete_user',
    advice:
      'Wait for the success of the EHR server in every ending: also when the person leaves, or tries again.',
  }),
  stepRule('no-calls-without-end', {
    title: `No action makes more than ${MAX_CALLS} calls of one method`,
    requirements: ['K-client-bounded'],
    scenarios: ['form-after-refusal'],
    of: ({ exchanges }) => exchanges.length > 0,
    wrong({ exchanges }) {
      const byMethod = [...groupBy(exchanges, methodOf)];
      const [method, calls] = byMethod.find(([, { length }]) => length > MAX_CALLS) ?? [];
      return calls && `${method} is called ${calls.length} times`;
    },
    expected: `${MAX_CALLS} calls of one method at most`,
    advice: 'After a few tries tell the person, and do nothing more by yourself.',
  }),
];

/** Whether a step is one action in one tab. Two actions at once and other tabs have checks of their own. */
function isSingle({ step, exchanges, result }: PlayedStep): boolean {
  return (
    exchanges.length > 0 &&
    // `all` lists the screens after the actions of the step, separated by commas.
    !(result.kind === 'done' && result.values.all?.includes(',')) &&
    step.step !== 'otherTab'
  );
}

/** Whether the same call would be refused again, which authenticate with a new exchange token would not. */
const isRefused = ({ fault, facts }: ExchangeEntry): boolean =>
  (fault === undefined || fault === 'refuse') &&
  facts.reply?.code !== undefined &&
  !(facts.call?.method === authenticate && NOT_AUTHENTICATED.has(facts.reply.code));

const isSessionOver = (code: number | undefined): boolean => code === -33000 || code === -33001;

function succeededTwice(exchanges: readonly ExchangeEntry[], methods: readonly string[]): string | undefined {
  const done = exchanges.filter((each) => isSuccess(each) && methods.includes(methodOf(each)));
  const again = done.find((each, at) =>
    done.slice(0, at).some((other) => methodOf(other) === methodOf(each)),
  );
  return again && `${methodOf(again)} succeeds, and is called again`;
}

function refusedAgain(exchanges: readonly ExchangeEntry[]): string | undefined {
  const again = exchanges.find((each, at) => {
    if (!COUNTED.includes(methodOf(each))) return false;
    return exchanges.slice(0, at).some((other) => isRefused(other) && paramsOf(other) === paramsOf(each));
  });
  return again && `${methodOf(again)} is sent again`;
}

/** What a call asks for, without its id and its exchange token, which differ when it is repeated. */
function paramsOf({ link, facts, request }: ExchangeEntry): string {
  const params = request.body.replace(/"id"\s*:\s*("[^"]*"|[\d.]+)/, '').replace(/‹exchange-token \d+›/, '');
  return JSON.stringify([link, facts.call?.method, params]);
}
