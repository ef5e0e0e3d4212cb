/** Requests that name two people where one is meant (good practice on §1). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { doubledMembers, doubledPlaces } from '../../flows/requests/odd-requests.ts';

export const NOTHING_TO_DOUBLE =
  'the phone is no member, field or parameter of its own in any request, so it cannot be named twice';

function judgeDoubled(journal: JournalView): Finding {
  const labels = doubledPlaces.flatMap((place) => [
    doubledMembers.steps.confirm(place),
    doubledMembers.steps.use(place),
  ]);
  const played = labels.flatMap((label) => journal.steps(label));
  if (played.length === 0) return judgeDoubledUsers(journal);
  const changed = [...labels, ...doubledPlaces.map((place) => doubledMembers.steps.request(place))];
  if (!changed.some((label) => journal.observations(label).some(({ values }) => values.isChanged === true)))
    return notApplicable(NOTHING_TO_DOUBLE);
  for (const label of labels) {
    if (!journal.observations(label).some(({ values }) => values.isForeign === true)) continue;
    return fail({
      expected: 'a refusal, or the session of the one to whom the code came',
      actual: `"${label.label}" opened a session of the other user`,
      evidence: journal.steps(label).flatMap(({ evidence }) => evidence),
      advice:
        'Parse a request once and use what was parsed everywhere, or refuse a member that stands twice: two parsers that take different ones confirm one phone by the code of another.',
    });
  }
  const confirmed = [...played, ...journal.steps(doubledMembers.steps.control)];
  if (!confirmed.some(({ result }) => result.kind === 'done'))
    return inconclusive('the code confirmed nothing in any of these ways', played[0]?.evidence ?? []);
  return pass(played.flatMap(({ evidence }) => evidence).slice(0, 6));
}

/** Without codes: an exchange token that one user asks for in the names of two. */
function judgeDoubledUsers(journal: JournalView): Finding {
  const { exchange, exchangeControl, jan } = doubledMembers.steps;
  const played = doubledPlaces.flatMap((place) => journal.steps(exchange(place)));
  const [control, other] = [journal.step(exchangeControl), journal.step(jan)?.result];
  if (played.length === 0 || !control) return notRun(journal, exchangeControl);
  const places = doubledPlaces.map(exchange);
  if (!places.some((label) => journal.observations(label).some(({ values }) => values.isChanged === true)))
    return notApplicable('no request names the user, and none is confirmed by a code, so neither can be named twice');
  const foreign = played.find((each) =>
    sentTo(each, SAVE_EXCHANGE_TOKEN).some(
      ({ facts }) => other?.kind === 'done' && facts.call?.user === other.values.user,
    ),
  );
  if (foreign)
    return fail({
      expected: 'a refusal, or an exchange token of the one whose session it is',
      actual: `"${foreign.step.label}" was carried out for the other user`,
      evidence: foreign.evidence,
      advice: 'Parse a request once and use what was parsed everywhere, or refuse a member that stands twice.',
    });
  if (control.result.kind !== 'done')
    return inconclusive(`for one user none was given either (${describe(control.result)})`, control.evidence);
  return pass(played.flatMap(({ evidence }) => evidence));
}

export const doubledMembersChecks: readonly Check[] = [
  check({
    id: 'doubled-members-not-confused',
    title: 'A request that names two phones opens no session of one by the code of the other',
    requirements: ['1-phone-confirmed'],
    scenarios: [doubledMembers],
    judge: judgeDoubled,
  }),
];
