/** Sessions in which the user links again, or asks for another exchange token (§1 rules 4 and 6). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  doneStep,
  fail,
  inconclusive,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { linkedAgain, linkedAnew } from '../../flows/links/linked-anew.ts';
import { manyTokens } from '../../flows/links/linking.ts';
import { part } from '../../flows/scenario.ts';
import { whoseSession } from '../../flows/sessions/whose-session.ts';
import { keptFor } from './kept.ts';

/** Labels of {@link whoseSession}. */
const whose = {
  wrong: { scenario: 'whose-session', label: 'returns with a wrong code' },
  right: { scenario: 'whose-session', label: 'returns with the right code' },
  token: { scenario: 'whose-session', label: 'exchange token after the return' },
  carried: { scenario: 'whose-session', label: 'exchange token with what the refusal of the wrong code carries' },
  inventedInstead: { scenario: 'whose-session', label: 'exchange token with an invented value in its place' },
} as const;

const TOKEN_ADVICE =
  'Give an exchange token to every session that asks for one, as often as it asks, whether or not its user is linked: a user who disconnected at the EHR server, or chose the wrong form, needs another one.';

const REPORT_ADVICE =
  'Send save_auth_info for every report, with the signature of that report, and keep this signature in the place of an earlier one.';

function judgeAgain(journal: JournalView): Finding {
  const [token, report] = [journal.step(linkedAgain.token), journal.step(linkedAgain.report)];
  const first = journal.step(part(linkedAnew.steps.link, 'report'));
  const before = journal.step(part(linkedAnew.steps.link, 'exchange token'));
  if (!token || !before) return notRun(journal, linkedAgain.token);
  if (token.result.kind !== 'done')
    return fail({
      expected: 'an exchange token for the session, as before',
      actual: describe(token.result),
      evidence: [...before.evidence, ...token.evidence],
      advice: TOKEN_ADVICE,
      timeSensitive: token.result.kind === 'failed',
    });
  // Where no link is reported, nothing more can be seen of the session.
  if (!first) return doneStep(journal, linkedAgain.authenticate, { expected: 'the link', advice: TOKEN_ADVICE });
  if (!report) return notRun(journal, linkedAgain.report);
  const [save] = sentTo(report, SAVE_AUTH_INFO).slice(-1);
  const evidence = [...first.evidence, ...report.evidence];
  if (!sentTo(first, SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result))
    return inconclusive('the first report saved no session either', evidence);
  if (report.result.kind === 'done' && save?.facts.reply?.result) return pass(evidence);
  const told = report.result.kind === 'done' ? '' : `the report: ${describe(report.result)}; `;
  return fail({
    expected: 'the second report succeeds, and its save_auth_info is accepted',
    actual: `${told}save_auth_info was ${save ? replyWords(save) : 'not sent'}`,
    evidence,
    advice: REPORT_ADVICE,
    timeSensitive: true,
  });
}

export const linkedAnewChecks: readonly Check[] = [
  check({
    id: 'links-again-in-session',
    title: 'A user who disconnected at the EHR server alone links again in the same session, with the new user_sign',
    requirements: ['1-exchange-token-to-client', '1-session-saved-after-link', 'DA-report-link'],
    scenarios: [linkedAnew],
    judge: judgeAgain,
  }),
  check({
    id: 'newest-signature-kept',
    title: 'After a second link the return is saved with the user_sign of that link',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept'],
    scenarios: [linkedAnew],
    judge: (journal) => keptFor(journal, linkedAnew.steps.returns),
  }),
  check({
    id: 'exchange-token-asked-again',
    title: 'A session that asks again is given another exchange token',
    requirements: ['1-exchange-token-to-client'],
    scenarios: [manyTokens],
    judge: (journal) => givenAgain(journal),
  }),
  check({
    id: 'exchange-token-for-linked-user',
    title: 'A linked user who returned is given an exchange token when they ask for one',
    level: 'SHOULD',
    requirements: ['1-exchange-token-to-client'],
    scenarios: [whoseSession],
    judge(journal) {
      const returned = journal.step(whose.right);
      if (returned?.result.kind !== 'done') return notRun(journal, whose.token);
      return doneStep(journal, whose.token, { expected: 'an exchange token', advice: TOKEN_ADVICE });
    },
  }),
];

function givenAgain(journal: JournalView): Finding {
  const { tokenA, tokenB } = manyTokens.steps;
  const control = journal.step(tokenA(1));
  if (control?.result.kind !== 'done') return notRun(journal, tokenB(1));
  return doneStep(journal, tokenB(1), { expected: 'another exchange token', advice: TOKEN_ADVICE });
}
