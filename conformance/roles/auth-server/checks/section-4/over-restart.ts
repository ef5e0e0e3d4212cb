/** What ended stays ended after a restart of the server (§1 rule 8, §2.3, §4.5, §4.6). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  refusedStep,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import { first, succeeds } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { keptOverRestart } from '../../flows/links/kept.ts';
import type { Label } from '../../flows/scenario.ts';
import { afterRestart } from '../section-1/kept.ts';

const { steps } = keptOverRestart;

const ADVICE =
  'Write the end to disk before the client is answered, and read back at the start nothing that has ended.';

type Stays = Pick<Check, 'id' | 'title'> & { control: Label; attempt: Label; expected: string };

function staysEnded({ control, attempt, expected, ...about }: Stays): Check {
  return check({
    ...about,
    requirements: ['K-ended-over-restart'],
    scenarios: [keptOverRestart],
    judge: (journal) =>
      afterRestart(journal, attempt, () => refusedStep(journal, { control, attempt, expected, advice: ADVICE })),
    red: succeeds(attempt),
  });
}

function judgeDeletion(journal: JournalView): Finding {
  const refusal = refusedStep(journal, {
    control: steps.nanDeletes,
    attempt: steps.nanAfter,
    expected: 'the session of the deleted user is refused',
    advice: ADVICE,
  });
  const newSignIn = journal.step(steps.nanAnew);
  const [save] = newSignIn ? sentTo(newSignIn, SAVE_AUTH_INFO) : [];
  if (refusal.outcome !== 'pass' || !newSignIn || !save) return refusal;
  return fail({
    expected: 'a sign-in without save_auth_info',
    actual: 'save_auth_info was sent with a user_sign from before the deletion',
    evidence: newSignIn.evidence,
    advice: ADVICE,
  });
}

/** The ttl sent with the exchange token of a step, in minutes. */
function ttlSent(journal: JournalView, label: Label): number | undefined {
  const played = journal.step(label);
  return (
    played && sentTo(played, SAVE_EXCHANGE_TOKEN).find(({ facts }) => facts.call?.ttl !== undefined)?.facts.call?.ttl
  );
}

function toldTtl(journal: JournalView, label: Label): number {
  const result = journal.step(label)?.result;
  return result?.kind === 'done' ? Number(result.values.ttl) : Number.NaN;
}

function judgeRenewal(journal: JournalView): Finding {
  const [before, after] = [journal.step(steps.jonBefore), journal.step(steps.jonAfter)];
  if (!before || !after)
    return notApplicable('the clock cannot be moved, or no ttl is told: a session cannot be told from a renewed one');
  const evidence = [...before.evidence, ...after.evidence];
  // Sessions that end with the server are safe as well.
  if (after.result.kind === 'refused' && before.result.kind === 'done') return pass(evidence);
  const [was, is, kays] = [steps.jonBefore, steps.jonAfter, steps.kayAfter].map((label) => ttlSent(journal, label));
  if (was === undefined || is === undefined)
    return inconclusive('no call carried the ttl of the session before the restart and after it', evidence);
  if (was + 1 >= toldTtl(journal, steps.jonFirst))
    return notApplicable('the ttl that is sent does not count down, so a renewed end cannot be seen by it');
  if (is <= was + 1) return pass(evidence);
  // A younger session with more time left than it was given shows that the moved clock was reset.
  if (kays === undefined || kays > toldTtl(journal, steps.kayFirst))
    return inconclusive('the clock that was moved did not outlive the restart', evidence);
  return fail({
    expected: `at most ${was} minutes are left of the session, as before the restart`,
    actual: `${is} minutes are left: the restart has renewed it`,
    evidence,
    advice: 'Store the end of each session when it is opened, and read it back as it is.',
  });
}

export const endedOverRestartChecks: readonly Check[] = [
  staysEnded({
    id: 'logout-kept-over-restart',
    title: 'A session that was logged out stays so when the server is started again',
    control: steps.otherLogsOut,
    attempt: steps.otherAfter,
    expected: 'the session that was logged out is refused',
  }),
  check({
    id: 'deletion-kept-over-restart',
    title: 'A user who was deleted stays so when the server is started again',
    requirements: ['K-ended-over-restart', 'DA-delete-user'],
    scenarios: [keptOverRestart],
    judge: (journal) => afterRestart(journal, steps.nanAfter, () => judgeDeletion(journal)),
  }),
  staysEnded({
    id: 'used-code-kept-over-restart',
    title: 'A code that was used opens no session when the server is started again',
    control: steps.kayFirst,
    attempt: steps.usedCode,
    expected: 'the used code is refused',
  }),
  check({
    id: 'session-end-kept-over-restart',
    title: 'A session ends no later when the server is started again',
    requirements: ['K-ended-over-restart', 'K-session-expires'],
    scenarios: [keptOverRestart],
    judge: (journal) =>
      afterRestart(journal, steps.jonAfter, () =>
        journal.step(steps.kayFirst) ? judgeRenewal(journal) : notRun(journal, steps.jonAfter),
      ),
    red({ entries, exchanges }) {
      const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === steps.jonAfter.label));
      const save = first(exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN).filter(({ seq }) => seq > step.seq));
      if (save.facts.call?.ttl !== undefined) save.facts.call.ttl += 10;
    },
  }),
];
