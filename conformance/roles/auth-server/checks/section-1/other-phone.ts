/** Phones that a server confuses with one another (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, MAX_EVIDENCE, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { phonesAtOnce, sameEnding } from '../../flows/codes/other-phone.ts';
import { codesAtOnce } from '../../flows/requests/at-once.ts';

const KEY_ADVICE =
  'Compare and store whole phones with their country code, and send the code to the very phone that is stored.';

const { steps: ending } = sameEnding;
const { steps: atOnce } = phonesAtOnce;

/** Explains why there is nothing to judge where no code came to the other phone. */
function withoutCode(journal: JournalView): Finding {
  const asked = journal.step(ending.requests);
  if (!asked) return notRun(journal, ending.requests);
  if (asked.result.kind === 'failed') return inconclusive(describe(asked.result), asked.evidence);
  return notApplicable('the server sends no code to a phone of another country');
}

function judgeEnding(journal: JournalView): Finding {
  const [signedIn, confirmed] = [journal.step(ending.signIn), journal.step(ending.confirm)];
  if (!confirmed) return withoutCode(journal);
  const evidence = [...(signedIn?.evidence ?? []), ...confirmed.evidence];
  if (journal.observations(ending.confirm).some(({ values }) => values.isForeign === true))
    return fail({
      expected: 'a user of its own, or a refusal',
      actual:
        'the code that came to one phone opened a session of the user of another, whose last ten digits are the same',
      evidence,
      advice: KEY_ADVICE,
    });
  if (confirmed.result.kind === 'done' && signedIn?.result.kind === 'done') return pass(evidence);
  return inconclusive(
    `neither the same user nor another one came of it (${describe(confirmed.result)})`,
    confirmed.evidence,
  );
}

function judgeRecipient(journal: JournalView): Finding {
  const [seen] = journal.observations(ending.requests);
  const asked = journal.step(ending.requests);
  if (!seen || !asked) return notRun(journal, ending.requests);
  if (Number(seen.values.messagesToOther) > 0)
    return fail({
      expected: 'a code to the phone that was named, or a refusal',
      actual: 'a code came to the phone of another user, whose last ten digits are the same',
      evidence: asked.evidence,
      advice: KEY_ADVICE,
    });
  return Number(seen.values.messages) > 0 ? pass(asked.evidence) : withoutCode(journal);
}

function judgeAtOnce(journal: JournalView): Finding {
  const [seen] = journal.observations(atOnce.request);
  const asked = journal.steps(atOnce.request);
  if (!seen || asked.length === 0) return notRun(journal, atOnce.request);
  const evidence = asked.flatMap((played) => played.evidence);
  const { asked: done, messages, most, without } = seen.values as Record<string, number>;
  const swapped = journal.observations(atOnce.swapped).length > 0;
  const misled = (without ?? 0) > 0 && (most ?? 0) > 1;
  if (swapped || misled)
    return fail({
      expected: 'each code at the phone for which it was requested',
      actual: swapped
        ? "somebody's session was opened by the code that came to another phone, and not by the one that came to their own"
        : `${done} people requested codes at the same moment and ${messages} messages came: ${most} to one phone, none to ${without} of the others`,
      evidence,
      advice:
        'Keep phone and code of a request in variables of that request alone: what requests share is overwritten by the next one.',
    });
  const confirmed = journal.steps(atOnce.confirm);
  const refused = confirmed.find(({ result }) => result.kind !== 'done');
  if (confirmed.length < 2 || refused)
    return inconclusive(
      refused
        ? `a code that came to the own phone did not confirm it (${describe(refused.result)})`
        : `codes came to ${confirmed.length} of ${done} phones`,
      evidence,
    );
  return pass([...evidence, ...confirmed.flatMap((played) => played.evidence)].slice(0, MAX_EVIDENCE));
}

function judgePause(journal: JournalView): Finding {
  const { twice, messages } = codesAtOnce.steps;
  const asked = journal.steps(twice);
  const [seen] = journal.observations(messages);
  if (asked.length === 0) return notRun(journal, twice);
  const evidence = asked.flatMap((played) => played.evidence);
  if (!seen) return inconclusive('no code came after two requests at the same moment', evidence);
  if (seen.values.pause === undefined)
    return notApplicable('the adapter file states no pause between two codes, or messages cannot be counted here');
  if (Number(seen.values.count) > 1)
    return fail({
      expected: `one message: the next one after ${seen.values.pause} s`,
      actual: `${seen.values.count} messages came of two requests at the same moment`,
      evidence,
      advice:
        'Look at the time of the last code and store the new one in one step, such as a transaction or a lock for each phone, before anything slow is done.',
    });
  return pass(evidence);
}

export const otherPhoneChecks: readonly Check[] = [
  check({
    id: 'same-ending-other-user',
    title: 'Phones with the same last ten digits and different country codes are different users',
    requirements: ['1-phone-confirmed'],
    scenarios: [sameEnding],
    judge: judgeEnding,
  }),
  check({
    id: 'code-to-named-phone',
    title: 'A code for one phone does not come to another that has the same last ten digits',
    level: 'SHOULD',
    requirements: ['K-code-to-one-phone'],
    scenarios: [sameEnding],
    judge: judgeRecipient,
  }),
  check({
    id: 'codes-to-own-phones-at-once',
    title: 'Of several people who request codes at the same moment each is sent their own',
    requirements: ['K-code-to-one-phone', '1-phone-confirmed'],
    scenarios: [phonesAtOnce],
    judge: judgeAtOnce,
  }),
  check({
    id: 'pause-holds-at-once',
    title: 'Two requests at the same moment do not pass the pause between two codes',
    level: 'SHOULD',
    requirements: ['K-code-pause'],
    scenarios: [codesAtOnce],
    judge: judgePause,
  }),
];
