/** What a server keeps of a link (§1 rules 7 and 9, §5.1). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  MAX_EVIDENCE,
  notApplicable,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
  wasTold,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { foreignSign, keptAtLink, keptOverRestart } from '../../flows/links/kept.ts';
import { crowd, returningUser } from '../../flows/links/linking.ts';
import { type Label, part } from '../../flows/scenario.ts';
import { KEEPS_NONE, keepsNone, savedAtSignIn } from '../signed-in.ts';

/**
 * Describes what is wrong with a return without a signature; undefined when the save had the user's own one
 * and was accepted.
 */
function wrongReturn(played: PlayedStep): string | undefined {
  const saves = sentTo(played, SAVE_AUTH_INFO);
  const [save] = saves.slice(-1);
  if (!save) return 'save_auth_info was not sent';
  if (saves.some(({ facts }) => facts.reply?.result)) return undefined;
  const { call, digest } = save.facts;
  if (digest && !digest.over)
    return `save_auth_info came with a digest that is right for no known user_sign${digest.explained ? `: ${digest.explained}` : ', as when it was cut or changed'}`;
  if (digest?.over?.kind === 'user-sign' && digest.over.owner !== call?.user)
    return "save_auth_info came with another user's user_sign";
  return `save_auth_info was ${replyWords(save)}`;
}

/** Requires that each of these returns without a signature is saved with the user's own one. */
export function keptFor(journal: JournalView, label: Label): Finding {
  const returns = journal.steps(label);
  if (returns.length === 0) return notRun(journal, label);
  const evidence = returns.flatMap((played) => played.evidence);
  const wrong = returns.flatMap((played) => {
    const what = wrongReturn(played);
    return what === undefined ? [] : [{ played, what }];
  });
  const [first] = wrong;
  if (!first) return pass(evidence.slice(0, MAX_EVIDENCE));
  const sent = returns.some((played) => sentTo(played, SAVE_AUTH_INFO).length > 0);
  if (!sent && keepsNone(journal)) return KEEPS_NONE;
  const kinds = [...new Set(wrong.map(({ what }) => what))].join('; ');
  return fail({
    expected: 'save_auth_info with the whole user_sign of the user who returns, accepted',
    actual: returns.length === 1 ? kinds : `${kinds} (${wrong.length} of ${returns.length} users)`,
    evidence: first.played.evidence,
    advice:
      'When a link is reported, store its user_sign with the user, whole and on disk, and use it at every later sign-in of that user.',
    timeSensitive: true,
  });
}

const { steps: over } = keptOverRestart;

/** As `judge`, for scenarios in which the server was restarted. */
export function afterRestart(journal: JournalView, label: Label, judge: () => Finding): Finding {
  const ending = journal.ending(keptOverRestart.id);
  if (!ending || ending.stopped || ending.absent) return notRun(journal, label);
  if (journal.observations(over.restarted).length > 0) return judge();
  return notApplicable(
    'the adapter names no way to start the server again with what it keeps: a step restart, or server.start without keeps: memory',
  );
}

function judgeAdmitted(journal: JournalView): Finding {
  const [before, ...returns] = [over.kayFirst, over.jonReturns, over.kayReturns].map((label) => journal.step(label));
  const played = returns.flatMap((each) => each ?? []);
  if (!before || played.length < returns.length) return notRun(journal, over.kayReturns);
  if (before.result.kind !== 'done') return inconclusive('the sign-in did not succeed before either', before.evidence);
  const bad = played.find(({ result }) => result.kind === 'refused');
  const failed = played.find(({ result }) => result.kind === 'failed');
  if (!bad && failed) return inconclusive(describe(failed.result), failed.evidence);
  if (!bad) return pass(played.flatMap(({ evidence }) => evidence));
  return fail({
    expected: 'the sign-in succeeds, as before the restart',
    actual: `"${bad.step.label}": ${describe(bad.result)}`,
    evidence: [...before.evidence, ...bad.evidence],
    advice: 'Store the correspondence table, and all else that a sign-in of a linked user needs, on disk.',
  });
}

export const keptChecks: readonly Check[] = [
  check({
    id: 'signature-kept-at-link',
    title: 'A return straight after the link is saved without the client bringing its signature',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept'],
    scenarios: [keptAtLink],
    judge: (journal) => keptFor(journal, keptAtLink.steps.returns),
  }),
  check({
    id: 'signatures-kept-of-many',
    title: 'Of many users who linked at the same time each one is saved with their own signature when they return',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', '5.1-digest-of-own-sign', 'K-link-kept'],
    scenarios: [crowd],
    judge: (journal) => keptFor(journal, crowd.steps.returns),
  }),
  check({
    id: 'link-kept-over-restart',
    title: 'A user who linked before the server was started again is saved when they return',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept'],
    scenarios: [keptOverRestart],
    judge: (journal) => afterRestart(journal, over.jonReturns, () => keptFor(journal, over.jonReturns)),
  }),
  check({
    id: 'user-kept-over-restart',
    title: 'A user who signs in after the server was started again is the same user',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept'],
    scenarios: [keptOverRestart],
    judge: (journal) =>
      afterRestart(journal, over.kayReturns, () => {
        const [before, after] = [journal.step(over.kayFirst), journal.step(over.kayReturns)];
        if (!before || !after) return notRun(journal, over.kayReturns);
        const ids = [before, after].map(({ result }) => (result.kind === 'done' ? result.values.user : undefined));
        if (ids[1] !== undefined && ids[0] !== ids[1])
          return fail({
            expected: 'the same authInfo.user as before the restart',
            actual:
              'another one: at the EHR server this user was never linked, and their patient belongs to the old one',
            evidence: [...before.evidence, ...after.evidence],
            advice: 'Store the user of each confirmed phone on disk.',
          });
        return savedAtSignIn(after);
      }),
  }),
  check({
    id: 'linked-users-admitted-after-restart',
    title: 'Users who linked before the server was started again can sign in',
    requirements: ['D18-auth-own-table', '1-matched-user-saved-directly'],
    scenarios: [keptOverRestart],
    judge: (journal) => afterRestart(journal, over.kayReturns, () => judgeAdmitted(journal)),
  }),
  check({
    id: 'foreign-sign-refused',
    title: "The report of a link with another user's signature is told as an error",
    requirements: ['K-failure-told', '5.1-digest-of-own-sign'],
    scenarios: [foreignSign],
    judge(journal) {
      const { halLinks, foreign } = foreignSign.steps;
      const [control, played] = [journal.step(part(halLinks, 'report')), journal.step(foreign)];
      if (!played) return notRun(journal, foreign);
      if (played.result.kind === 'done')
        return fail({
          expected: 'an error to the client',
          actual: 'it succeeded',
          evidence: played.evidence,
          advice: 'Report success only after the EHR server has accepted save_auth_info with this very signature.',
        });
      if (control?.result.kind !== 'done') return inconclusive('the owner of the signature could not report it either');
      if (wasTold(played)) return pass([...control.evidence, ...played.evidence]);
      return inconclusive(describe(played.result), played.evidence);
    },
  }),
  check({
    id: 'foreign-sign-not-kept',
    title: "Another user's signature, refused by the EHR server, is not used at a later sign-in",
    requirements: ['K-unproven-sign-not-kept', '5.1-digest-of-own-sign'],
    scenarios: [foreignSign, returningUser],
    judge(journal) {
      const { foreign, returns } = foreignSign.steps;
      const [tried, played] = [journal.step(foreign), journal.step(returns)];
      if (!played) return notRun(journal, returns);
      const wrong = sentTo(played, SAVE_AUTH_INFO).find(
        ({ facts: { call, digest } }) => digest?.over?.kind === 'user-sign' && digest.over.owner !== call?.user,
      );
      if (wrong)
        return fail({
          expected: "no save_auth_info with another user's user_sign",
          actual: 'the signature that was reported and refused was kept, and used for this user',
          evidence: [...played.evidence, wrong.seq],
          advice: 'Keep the signature of a report only after the EHR server has accepted save_auth_info with it.',
        });
      if (!tried || sentTo(tried, SAVE_AUTH_INFO).length === 0)
        return inconclusive('the foreign signature did not reach the EHR server', tried?.evidence ?? []);
      const onRecord = journal.step(returningUser.steps.otherDevice);
      if (onRecord && sentTo(onRecord, SAVE_AUTH_INFO).length === 0)
        return notApplicable(
          'no sign-in used a signature that the server keeps, so whether it keeps a foreign one cannot be seen',
        );
      if (played.result.kind !== 'done')
        return inconclusive(`the return did not succeed (${describe(played.result)})`, played.evidence);
      return pass([...tried.evidence, ...played.evidence]);
    },
  }),
];
