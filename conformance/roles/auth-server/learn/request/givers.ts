/**
 * Finds which answer of a recording gives a value that a step sends: that of an earlier step, or of a request
 * that must come before the step.
 */
import type { Extraction } from '../../../../engine/party/file/step-schema.ts';
import type { ClientCall } from '../calls.ts';
import { type AnswerPlace, answerPlace, valueIn } from '../places.ts';
import { isRefusedAttempt, type SeenSignIn } from '../sign-in.ts';
import type { ClientStep, Findings } from '../steps.ts';

/** A call whose answer gives a value. `owner` is its step, where it is one that comes before. */
export type Giver = { call: ClientCall; at: AnswerPlace; owner?: ClientStep | undefined };

/** A step, and the call whose values are sought. */
type Sought = { step: ClientStep; call: ClientCall; value: string };

/**
 * Finds the answer that gives a value; undefined where the client had it first.
 * @param before the call that comes before the step already
 */
export function giverOf(findings: Findings, sought: Sought, before?: ClientCall): Giver | undefined {
  const { step, call, value } = sought;
  const exact = findings.calls
    .filter(({ number }) => number < call.number)
    .flatMap((each) => giverWith(findings, each, answerPlace(each, value)));
  const sender = findings.calls.find(({ sent }) => sent.some((each) => each.value === value));
  const [first] = exact;
  if (!first || (sender && sender.number <= first.call.number)) return undefined;
  const usable = [...exact, ...alike(findings, sought, exact)].filter((giver) =>
    mayGive(findings, giver, sought),
  );
  const isExact = (giver: Giver) => exact.includes(giver);
  const comesFirst = ({ owner }: Giver) => owner !== undefined && owner !== step && isBefore(owner, step);
  const isGet = ({ call, owner }: Giver) => owner === undefined && call.method === 'GET';
  const orders: ((giver: Giver) => boolean)[] = [
    (giver) => giver.call.title === before?.title,
    (giver) => isExact(giver) && comesFirst(giver),
    // A cookie holds for a session, and the field of a page perhaps for one request.
    (giver) => isCookie(giver.at.place) && comesFirst(giver),
    (giver) => isExact(giver) && isGet(giver),
    isGet,
    comesFirst,
    (giver) => giver.owner === undefined,
  ];
  for (const isWanted of orders) {
    const found = usable.filter(isWanted);
    const giver = found.findLast((each) => each.call.number < call.number) ?? found[0];
    if (giver) return giver;
  }
  return undefined;
}

/** The steps whose answers give values to later ones. */
const GIVING = ['requestOtp', 'confirmOtp', 'exchangeToken'] as const;

function giverWith(findings: Findings, call: ClientCall, at: AnswerPlace | undefined): Giver[] {
  const owner = GIVING.find((step) => findings.steps[step]?.call.title === call.title);
  return at ? [{ call, at, owner }] : [];
}

/**
 * The calls whose answers have another value at the same place. A page draws its CSRF token for each answer,
 * and any of them will do, while the user is as far as in the step.
 */
function alike(findings: Findings, { call }: Sought, exact: readonly Giver[]): Giver[] {
  const at = exact.at(-1)?.at;
  if (!at || !isOfPages(at.place)) return [];
  const isSignedIn = isSignedInAfter(findings, call.number - 1);
  return findings.calls
    .filter(({ number }) => isSignedInAfter(findings, number) === isSignedIn)
    .filter((each) => !exact.some((giver) => giver.call === each) && valueIn(each, at.place) !== undefined)
    .flatMap((each) => giverWith(findings, each, at));
}

/** Whether a session is open after the call with this number. */
function isSignedInAfter({ calls, signIn, steps }: Findings, number: number): boolean {
  const ends = [steps.logout, steps.deleteUser, steps.requestOtp].map((step) => step?.call.title);
  const last = calls.findLast(
    (call) => call.number <= number && (isOpening(call, signIn) || ends.includes(call.title)),
  );
  return last !== undefined && isOpening(last, signIn);
}

const isOpening = (call: ClientCall, signIn: SeenSignIn): boolean =>
  signIn.attempts.includes(call) && call.isAnswered && !isRefusedAttempt(call, signIn);

/** Whether it is a cookie, or a pattern in a page. */
const isOfPages = (place: Extraction) =>
  isCookie(place) || (typeof place === 'object' && 'pattern' in place && !('header' in place));

/** Whether it is a cookie that an answer sets. */
export const isCookie = (place: Extraction): boolean =>
  typeof place === 'object' && ('cookie' in place || ('header' in place && place.header === 'set-cookie'));

/** Whether an answer can give it: no refusal, no other step, and no request that itself sends the value. */
function mayGive({ signIn, steps }: Findings, { call, at, owner }: Giver, sought: Sought): boolean {
  const isRefused = !call.isAnswered || isRefusedAttempt(call, signIn);
  const isOtherStep =
    owner === undefined && Object.values(steps).some((each) => each.call.title === call.title);
  const own = valueIn(call, at.place);
  const isCircular = own !== undefined && call.sent.some(({ value }) => value === own);
  const isItself = call.title === sought.call.title;
  const isEarlier = owner === undefined || isBefore(owner, sought.step);
  return !isRefused && !isOtherStep && !isCircular && !isItself && isEarlier;
}

/** Whether the first step always comes before the second, or is the same. */
export function isBefore(first: ClientStep, second: ClientStep): boolean {
  if (first === second) return true;
  if (first === 'requestOtp') return true;
  if (first === 'confirmOtp') return second !== 'requestOtp';
  return first === 'exchangeToken' && second === 'reportLink';
}
