/**
 * Creates the checks of the scenarios in which the kit's EHR server refuses, fails, hangs or answers
 * nonsense: whether the authorization server tells its client, and whether the next attempt succeeds (§4.1,
 * §4.2, §7).
 */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { FaultName } from '../../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { sentTo } from '../../internal-calls.ts';
import { check, type FlowCheck } from '../flow.ts';
import { fault, isDone, unclear, wasTold } from '../step-values.ts';
import { ENDLESS, failures, strangeReplies, troubleWords } from './troubles.ts';

/** One trouble in one scenario. */
export type Meeting = {
  /** kebab-case, as used in the ids of checks. */
  readonly id: string;
  /**
   * After a failure or a refusal the client must get an error. A strange reply the server may understand, or
   * take for a failure.
   */
  readonly kind: 'failure' | 'strange reply' | 'refusal';
  readonly fault: FaultName;
  /** What the EHR server does, in the words of titles. */
  readonly words: string;
} & PlayedTrouble;

/** The labels of the steps around one trouble. */
type PlayedTrouble = {
  /** The same step without trouble. */
  readonly control: string;
  /** The step during the trouble. */
  readonly during: string;
  /** The next attempt, without trouble; absent where none is played. */
  readonly afterwards?: string;
};

/** What the checks of one scenario have in common. */
export type Place = {
  /** The ids of the checks begin with it. */
  readonly prefix: 'exchange' | 'save' | 'sign-in';
  /** The interrupted action, in the words of titles. */
  readonly what: string;
  /** The method of the EHR server whose calls meet the trouble. */
  readonly method: string;
  /** What the report says the client should get; "an error to the client" unless given. */
  readonly expected?: string;
  /** The advice where the client gets no error. Unless given, the advice for any failed call. */
  readonly advice?: string;
  /** The advice where the next attempt fails. */
  readonly surviveAdvice: string;
  /**
   * Judges a step that succeeded although the EHR server acknowledged nothing. Unless given, it is a fault.
   */
  readonly success?: (steps: Steps, played: PlayedStep, meeting: Meeting) => Judgement;
  /** Judges the next attempt. Unless given, it must succeed, and the EHR server must acknowledge it. */
  readonly next?: (played: PlayedStep) => Judgement;
};

type Name = (typeof failures)[number] | (typeof strangeReplies)[number];

/** Lists all failures and strange replies. `labels` gives the labels of the steps around each. */
export const withTroubles = (labels: (name: Name) => PlayedTrouble): Meeting[] =>
  [...failures, ...strangeReplies].map((name) => ({
    id: name,
    kind: (failures as readonly string[]).includes(name) ? 'failure' : 'strange reply',
    fault: name,
    words: troubleWords[name],
    ...labels(name),
  }));

/** Lists the refusals. `labels` gives the labels of the steps around each. */
export const withRefusals = <R extends string>(
  refusals: readonly { reason: R }[],
  labels: (reason: R) => PlayedTrouble,
): Meeting[] =>
  refusals.map(({ reason }) => ({
    id: reason.replaceAll('_', '-'),
    kind: 'refusal',
    fault: 'refuse',
    words: `answers ${reason}`,
    ...labels(reason),
  }));

const TELL_AN_ERROR =
  'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing; set a timeout on the whole call.';

/** Creates the checks of one scenario: up to two for each trouble. */
export function troubleChecks(place: Place, meetings: readonly Meeting[]): FlowCheck[] {
  return meetings.flatMap((meeting) => [
    meeting.kind === 'strange reply' ? answersCheck(place, meeting) : toldCheck(place, meeting),
    ...survivesCheck(place, meeting),
  ]);
}

/** Creates the check that the client gets an error. */
function toldCheck(place: Place, meeting: Meeting): FlowCheck {
  const { prefix, what, advice = TELL_AN_ERROR, success } = place;
  return check({
    id: `${prefix}-told-${meeting.id}`,
    title: `The client is told by an error${success ? ' or signed in unlinked' : ''} when the EHR server ${meeting.words} while ${what}`,
    requirements: toldRequirements(meeting),
    control: [meeting.control],
    judge: (steps) => unmet(steps, place, meeting) ?? told(steps, place, meeting),
    advice,
  });
}

function toldRequirements({ fault }: Meeting): [RequirementId] {
  return [ENDLESS.has(fault) ? 'K-failure-bounded' : 'K-failure-told'];
}

/** Creates the check that the client is answered after a strange reply. */
function answersCheck(place: Place, meeting: Meeting): FlowCheck {
  return check({
    id: `${place.prefix}-answers-${meeting.id}`,
    title: `The client is answered when the EHR server ${meeting.words} while ${place.what}`,
    requirements:
      meeting.fault === 'gzip' ? ['K-failure-bounded', 'K-offered-coding'] : ['K-failure-bounded'],
    control: [meeting.control],
    judge: (steps) => unmet(steps, place, meeting) ?? answered(steps, place, meeting),
    advice:
      'Read replies within a limit of size and time, and take what is no JSON-RPC reply for a failure of the call.',
  });
}

/** Creates the check that the next attempt succeeds; none where no next attempt is played. */
function survivesCheck(place: Place, meeting: Meeting): FlowCheck[] {
  const { afterwards } = meeting;
  if (afterwards === undefined) return [];
  return [
    check({
      id: `${place.prefix}-survives-${meeting.id}`,
      title: `The next attempt succeeds after the EHR server ${meeting.words} while ${place.what}`,
      requirements: ['K-failure-survived'],
      control: [meeting.control],
      judge: (steps) =>
        stillBroken(steps, place, meeting) ??
        unmet(steps, place, meeting) ??
        recovers(steps.of(meeting.during), steps.of(afterwards), place, meeting),
      advice: place.surviveAdvice,
    }),
  ];
}

/** Judges whether the trouble happened at all: unclear where no call of the step met the fault. */
function unmet(steps: Steps, { method }: Place, { during, fault }: Meeting): Judgement {
  const played = steps.of(during);
  if (sentTo(played, method).some((exchange) => exchange.fault === fault)) return undefined;
  return { unclear: 'the call did not reach the EHR server, so its fault was never met', shownBy: [played] };
}

/** Judges whether the client got an error in bounded time. */
function told(steps: Steps, place: Place, meeting: Meeting): Judgement {
  const { expected = 'an error to the client', success } = place;
  const played = steps.of(meeting.during);
  if (wasTold(played)) return undefined;
  if (!isDone(played))
    return {
      expected: `${expected}, in bounded time`,
      actual: describe(played.result),
      shownBy: [played],
      timeSensitive: true,
    };
  // A server that retried until the call succeeded is right to answer with success.
  if (isAcknowledged(played, place)) return undefined;
  if (success) return success(steps, played, meeting);
  return fault(expected, 'the client was told that it succeeded', played);
}

/**
 * Judges whether the client got an answer. A server that offers gzip in its request (Accept-Encoding) must
 * also understand a reply in gzip.
 */
function answered(steps: Steps, place: Place, meeting: Meeting): Judgement {
  const played = steps.of(meeting.during);
  if (isDone(played)) return place.success?.(steps, played, meeting);
  const fault = { actual: describe(played.result), shownBy: [played], timeSensitive: true };
  if (!wasTold(played))
    return { expected: 'an answer to the client, success or error, in bounded time', ...fault };
  if (meeting.fault !== 'gzip' || !sentTo(played, place.method).some(offersGzip)) return undefined;
  return {
    expected: 'the step succeeds: the request offered gzip by Accept-Encoding, and the reply came in gzip',
    ...fault,
    advice: 'Unpack replies in gzip, or leave Accept-Encoding out of the request.',
  };
}

/** Whether the request accepts gzip. A quality of 0 (`gzip;q=0`) means that it does not. */
function offersGzip({ request }: PlayedStep['exchanges'][number]): boolean {
  return request.headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'accept-encoding' && /\b(gzip|\*)(?!\s*;\s*q=0(\.0*)?\b)/i.test(value),
  );
}

/**
 * Judges whether the server calls the EHR server at all: after the trouble before this one it may have
 * stopped calling, although the control succeeded.
 */
function stillBroken(steps: Steps, { method }: Place, { control, during }: Meeting): Judgement {
  const played = steps.of(during);
  if (isDone(played) || sentTo(played, method).length > 0) return undefined;
  return {
    expected: 'the EHR server is called again after an earlier failure',
    actual: `${describe(played.result)}, and the EHR server was not called`,
    shownBy: [steps.of(control), played],
    timeSensitive: true,
  };
}

/** Judges whether `next`, the attempt after the trouble in the step `bad`, succeeds. */
function recovers(bad: PlayedStep, next: PlayedStep, place: Place, { kind }: Meeting): Judgement {
  if (place.next) return place.next(next);
  // The call in trouble was carried out. Whether its repeat must succeed then is an open point (decision 38).
  if (wasTold(next) && isAcknowledged(next, place)) return undefined;
  if (!isDone(next))
    return {
      expected: 'the next attempt succeeds',
      actual: describe(next.result),
      shownBy: [next],
      timeSensitive: true,
    };
  // A strange reply that was understood left nothing to do.
  if (kind === 'strange reply' && isDone(bad)) return undefined;
  if ([bad, next].some((played) => isAcknowledged(played, place))) return undefined;
  return unclear('the next attempt succeeded, but the EHR server acknowledged no call for it', next);
}

/** Whether the EHR server executed the call of this step, or says that it executed it before. */
function isAcknowledged(played: PlayedStep, { method }: Place): boolean {
  return sentTo(played, method).some(
    ({ fault, facts: { reply } }) =>
      fault === undefined && (reply?.result || reply?.reason === 'token_already_stored'),
  );
}
