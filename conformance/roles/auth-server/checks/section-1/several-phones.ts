/** Which phone gets a code and is confirmed where a request names two (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, MAX_EVIDENCE, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import { observed } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { severalPhones, togetherWays } from '../../flows/codes/several-phones.ts';
import { doubledMembers, doubledPlaces } from '../../flows/requests/odd-requests.ts';
import { NOTHING_TO_DOUBLE } from './doubled-members.ts';

const { steps } = severalPhones;
const requests = [
  ...togetherWays.map((way) => steps.request(way)),
  ...doubledPlaces.map((place) => doubledMembers.steps.request(place)),
];

function judgeOther(journal: JournalView): Finding {
  const [tried, control] = [journal.step(steps.other), journal.step(steps.own)];
  if (!tried || !control) return notRun(journal, steps.other);
  const [seen] = journal.observations(steps.other);
  if (seen?.values.isForeign === true)
    return fail({
      expected: 'a refusal, or the session of the one to whom the code was sent',
      actual: 'a code that was sent to one phone opened a session of the user of another, who was named beside it',
      evidence: tried.evidence,
      advice:
        'Take the phone from where the code is stored, never from the confirmation; refuse a confirmation that names another one.',
    });
  if (seen?.values.isChanged !== true)
    return notApplicable('the confirmation names no phone, so it cannot name another one');
  const own = journal.step(steps.lea)?.result;
  if (tried.result.kind === 'done' && (own?.kind !== 'done' || tried.result.values.user !== own.values.user))
    return inconclusive('it opened a session of neither of the two', tried.evidence);
  // A server that looks at the code alone opens the right session and uses the code up.
  if (tried.result.kind === 'done' || control.result.kind === 'done')
    return pass([...tried.evidence, ...control.evidence]);
  return inconclusive(
    `the same confirmation with the right phone, which ought to succeed, did not (${describe(control.result)})`,
    control.evidence,
  );
}

function judgeSends(journal: JournalView): Finding {
  const played = requests.flatMap((label) => journal.steps(label));
  if (played.length === 0) return notRun(journal, requests[0] as (typeof requests)[number]);
  const seen = requests.flatMap((label) => journal.observations(label).map(({ values }) => ({ label, values })));
  const both = seen.filter(({ values }) => values.isSentToBoth === true);
  if (both.length > 0)
    return fail({
      expected: 'a refusal, or a code for one of the phones alone',
      actual: `the same code came to both phones, after ${both.map(({ label }) => `"${label.label}"`).join(', ')}`,
      evidence: both.flatMap(({ label }) => journal.steps(label)).flatMap(({ evidence }) => evidence),
      advice:
        "Take exactly one phone from a request, as a text that is a phone from end to end, and send the code to the phone that it is stored for. Whoever adds a phone of their own would be sent the other user's code.",
    });
  if (!seen.some(({ values }) => values.isChanged === true)) return notApplicable(NOTHING_TO_DOUBLE);
  const control = journal.step(steps.lea) ?? journal.step(doubledMembers.steps.ivo);
  if (control?.result.kind !== 'done')
    return inconclusive('no code came for one phone either', control?.evidence ?? []);
  const unanswered = played.find(({ result }) => result.kind === 'failed' && result.what !== 'server-error');
  if (unanswered) return inconclusive(describe(unanswered.result), unanswered.evidence);
  return pass([...control.evidence, ...played.flatMap(({ evidence }) => evidence)].slice(0, MAX_EVIDENCE));
}

export const severalPhoneChecks: readonly Check[] = [
  check({
    id: 'code-confirms-own-phone',
    title: 'A code confirms the phone it was sent to, whatever phone the confirmation names',
    requirements: ['1-phone-confirmed'],
    scenarios: [severalPhones],
    judge: judgeOther,
  }),
  check({
    id: 'code-to-one-phone',
    title: 'A request that names two phones does not send one code to both',
    requirements: ['K-code-to-one-phone', '1-phone-confirmed'],
    scenarios: [severalPhones, doubledMembers],
    judge: judgeSends,
    red: observed(steps.request('a comma between them'), { isSentToBoth: true }),
  }),
];
