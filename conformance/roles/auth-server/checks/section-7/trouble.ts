/** How a server handles an EHR server that refuses, fails, hangs or answers nonsense (§4.1, §4.2, §7). */
import type { RequirementId } from '#protocol/requirements.ts';
import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notRun, pass, sentTo, wasTold } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { ENDLESS } from '../../flows/trouble/troubles.ts';
import { type Meeting, type Place, places } from '../trouble-places.ts';

/** The step that met the trouble, or why it cannot be judged. */
function meetingOf(
  journal: JournalView,
  { method }: Place,
  { control, during, fault }: Meeting,
): { bad: PlayedStep; finding?: undefined } | { bad?: undefined; finding: Finding } {
  const [good, bad] = [journal.step(control), journal.step(during)];
  if (!good) return { finding: notRun(journal, control) };
  if (!bad) return { finding: notRun(journal, during) };
  if (good.result.kind !== 'done')
    return {
      finding: inconclusive(`without trouble it did not succeed either (${describe(good.result)})`, good.evidence),
    };
  if (!sentTo(bad, method).some((exchange) => exchange.fault === fault))
    return { finding: inconclusive('the call did not reach the EHR server, so its fault was never met', bad.evidence) };
  return { bad };
}

/** Requires that the client gets an error: neither a success nor an endless wait. */
function judgeTold(journal: JournalView, place: Place, meeting: Meeting): Finding {
  const { bad, finding } = meetingOf(journal, place, meeting);
  if (!bad) return finding;
  const { expected, advice } = place;
  if (wasTold(bad)) return pass(bad.evidence);
  if (bad.result.kind !== 'done')
    return fail({
      expected: `${expected}, in bounded time`,
      actual: describe(bad.result),
      evidence: bad.evidence,
      advice,
      timeSensitive: true,
    });
  // A server that retried until the call succeeded told the truth.
  if (isAcknowledged(bad, place)) return pass(bad.evidence);
  if (place.success) return place.success(journal, bad, meeting);
  return fail({ expected, actual: 'the client was told that it succeeded', evidence: bad.evidence, advice });
}

/** Requires an answer, and that the server understands what its own headers offered. */
function judgeAnswered(journal: JournalView, place: Place, meeting: Meeting): Finding {
  const { bad, finding } = meetingOf(journal, place, meeting);
  if (!bad) return finding;
  if (bad.result.kind === 'done') return place.success?.(journal, bad, meeting) ?? pass(bad.evidence);
  const offered = meeting.fault === 'gzip' && sentTo(bad, place.method).some(offersGzip);
  if (wasTold(bad) && !offered) return pass(bad.evidence);
  if (wasTold(bad))
    return fail({
      expected: 'the step succeeds: the request offered gzip by Accept-Encoding, and the reply came in gzip',
      actual: describe(bad.result),
      evidence: bad.evidence,
      advice: 'Unpack replies in gzip, or leave Accept-Encoding out of the request.',
      timeSensitive: true,
    });
  return fail({
    expected: 'an answer to the client, success or error, in bounded time',
    actual: describe(bad.result),
    evidence: bad.evidence,
    advice:
      'Read replies within a limit of size and time, and take what is no JSON-RPC reply for a failure of the call.',
    timeSensitive: true,
  });
}

function offersGzip({ request }: PlayedStep['exchanges'][number]): boolean {
  return request.headers.some(
    ([name, value]) => name.toLowerCase() === 'accept-encoding' && /\b(gzip|\*)(?!\s*;\s*q=0(\.0*)?\b)/i.test(value),
  );
}

function survives(
  journal: JournalView,
  place: Place,
  meeting: Meeting,
  afterwards: NonNullable<Meeting['afterwards']>,
) {
  const { bad, finding } = meetingOf(journal, place, meeting);
  if (!bad) return stillBroken(journal, place, meeting) ?? finding;
  const next = journal.step(afterwards);
  if (!next) return notRun(journal, afterwards);
  if (place.next) return place.next(next);
  if (next.result.kind === 'done') {
    // A strange reply that was understood left nothing to do.
    const isUnderstood = meeting.kind === 'strange reply' && bad.result.kind === 'done';
    if (isUnderstood || [bad, next].some((played) => isAcknowledged(played, place))) return pass(next.evidence);
    return inconclusive('the next attempt succeeded, but the EHR server acknowledged no call for it', next.evidence);
  }
  return fail({
    expected: 'the next attempt succeeds',
    actual: describe(next.result),
    evidence: next.evidence,
    advice: place.surviveAdvice,
    timeSensitive: true,
  });
}

/** Whether the EHR server executed the call of this step, or says that it executed it before. */
function isAcknowledged(played: PlayedStep, { method }: Place): boolean {
  return sentTo(played, method).some(
    ({ fault, facts: { reply } }) => fault === undefined && (reply?.result || reply?.reason === 'token_already_stored'),
  );
}

/** Describes a call that succeeded before and is not even tried after an earlier failure. */
function stillBroken(journal: JournalView, { method, surviveAdvice }: Place, { control, during }: Meeting) {
  const [good, bad] = [journal.step(control), journal.step(during)];
  if (good?.result.kind !== 'done' || !bad || bad.result.kind === 'done' || sentTo(bad, method).length > 0)
    return undefined;
  return fail({
    expected: 'the EHR server is called again after an earlier failure',
    actual: `${describe(bad.result)}, and the EHR server was not called`,
    evidence: [...good.evidence, ...bad.evidence],
    advice: surviveAdvice,
    timeSensitive: true,
  });
}

function toldCheck(place: Place, meeting: Meeting): Check {
  return check({
    id: `${place.prefix}-told-${meeting.id}`,
    title: `The client is told by an error${place.success ? ' or signed in unlinked' : ''} when the EHR server ${meeting.words} while ${place.what}`,
    requirements: toldRequirements(meeting),
    scenarios: [place.scenario],
    judge: (journal) => judgeTold(journal, place, meeting),
  });
}

function toldRequirements({ kind, fault }: Meeting): [RequirementId, ...RequirementId[]] {
  if (ENDLESS.has(fault)) return ['K-failure-bounded'];
  return kind === 'refusal' ? ['K-failure-told'] : ['K-failure-told', '2.4-known-to-both'];
}

function answersCheck(place: Place, meeting: Meeting): Check {
  return check({
    id: `${place.prefix}-answers-${meeting.id}`,
    title: `The client is answered when the EHR server ${meeting.words} while ${place.what}`,
    requirements: meeting.fault === 'gzip' ? ['K-failure-bounded', 'K-offered-coding'] : ['K-failure-bounded'],
    scenarios: [place.scenario],
    judge: (journal) => judgeAnswered(journal, place, meeting),
  });
}

function survivesCheck(place: Place, meeting: Meeting): Check[] {
  const { afterwards } = meeting;
  if (!afterwards) return [];
  return [
    check({
      id: `${place.prefix}-survives-${meeting.id}`,
      title: `The next attempt succeeds after the EHR server ${meeting.words} while ${place.what}`,
      requirements: ['K-failure-survived'],
      scenarios: [place.scenario],
      judge: (journal) => survives(journal, place, meeting, afterwards),
    }),
  ];
}

export const troubleChecks: readonly Check[] = places.flatMap((place) =>
  place.meetings.flatMap((meeting) => [
    meeting.kind === 'strange reply' ? answersCheck(place, meeting) : toldCheck(place, meeting),
    ...survivesCheck(place, meeting),
  ]),
);
