/** Simultaneous exchange tokens, reports, sign-ins, endings, and a hanging call (§1 rules 1, 4 and 6). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import { done } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import {
  deletionMeanwhile,
  logoutMeanwhile,
  oneCallHangs,
  oneSessionAtOnce,
  signInsAtOnce,
} from '../../flows/sessions/sessions-at-once.ts';
import { judgeHanging } from '../hanging-call.ts';
import { evidenceOf, isDone, yielded } from '../step-values.ts';

export const sessionsAtOnceChecks: readonly Check[] = [
  check({
    id: 'exchange-tokens-at-once-differ',
    title: 'Requests for exchange tokens at the same moment are each given one of their own',
    requirements: ['K-requests-apart', '1-exchange-token-to-client'],
    scenarios: [oneSessionAtOnce],
    judge: judgeTokensAtOnce,
  }),
  check({
    id: 'reports-at-once-kept',
    title: 'A link that is reported twice at the same moment is recorded',
    level: 'SHOULD',
    requirements: ['1-session-saved-after-link', 'K-failure-survived'],
    scenarios: [oneSessionAtOnce],
    judge(journal) {
      const { steps } = oneSessionAtOnce;
      const [both, after] = [journal.steps(steps.report), journal.step(steps.after)];
      if (both.length === 0 || !after)
        return journal.step(steps.token('Ada')) && journal.allSteps('reportLink').length === 0
          ? notApplicable('the adapter declares that the server has no reportLink')
          : notRun(journal, steps.report);
      const evidence = [...evidenceOf(both), ...after.evidence];
      if (both.some(isDone) && isDone(after)) return pass(evidence);
      return fail({
        expected: 'one of the two reports succeeds, and so does another one afterwards',
        actual: [...both, after].map(({ result }) => describe(result)).join('; '),
        evidence,
        advice:
          'When the EHR server says token_already_stored of this very user and token, the other report has recorded the link: that is success.',
        timeSensitive: true,
      });
    },
  }),
  check({
    id: 'sign-ins-at-once-apart',
    title: 'Users who return at the same moment are each given their own session',
    requirements: ['K-requests-apart', '1-pair-at-sign-in', '2.3-token-unique'],
    scenarios: [signInsAtOnce],
    judge: judgeSignInsAtOnce,
  }),
  check({
    id: 'no-token-after-logout',
    title: 'An exchange token is not given once the logout of its session was answered',
    requirements: ['K-session-ends'],
    scenarios: [logoutMeanwhile],
    judge: judgeLogoutMeanwhile,
    red: ({ entries, exchanges, outcome }) => {
      const { steps } = logoutMeanwhile;
      const save = exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN).find(({ fault }) => fault === 'late');
      const token = save?.facts.call?.exchangeToken ?? '';
      outcome(steps.token, done({ exchangeToken: token }));
      // Other scenarios meet the same fault: the token identifies the save of this one.
      const step = entries.find((entry) => entry.kind === 'step' && entry.label === steps.logout.label);
      const logout = exchanges('client->auth').find((exchange) => exchange.step === step?.seq);
      if (!save || !logout) throw new Error('The journal has no logout during a request.');
      save.endedAt = logout.endedAt + 1_000;
    },
  }),
  check({
    id: 'deletion-outlives-report',
    title: 'A user who was deleted while the link was reported is gone once both have ended',
    requirements: ['K-session-ends', 'DA-delete-user'],
    scenarios: [deletionMeanwhile],
    judge: judgeDeletionMeanwhile,
  }),
  check({
    id: 'others-go-on-while-one-hangs',
    title: 'A call for one user that the EHR server does not answer holds up no other user',
    level: 'SHOULD',
    requirements: ['K-others-go-on'],
    scenarios: [oneCallHangs],
    judge: judgeHanging,
  }),
];

function judgeTokensAtOnce(journal: JournalView): Finding {
  const { steps } = oneSessionAtOnce;
  const all = [...journal.steps(steps.token('Ada')), ...journal.steps(steps.token('Ben'))];
  if (all.length === 0) return notRun(journal, steps.token('Ada'));
  const given = all.filter(isDone);
  const byToken = new Map<string, PlayedStep[]>();
  for (const played of given) {
    const token = yielded(played, 'exchangeToken') ?? '';
    byToken.set(token, [...(byToken.get(token) ?? []), played]);
  }
  const twice = [...byToken.values()].find((played) => played.length > 1);
  if (twice) {
    const users = new Set(twice.map(({ step }) => step.user));
    return fail({
      expected: 'a token of its own for each request',
      actual: `the same token was given ${twice.length} times, to ${users.size === 1 ? 'one user' : `${users.size} users`}`,
      evidence: evidenceOf(twice),
      advice: 'Draw and save a token for every request; share neither a result nor a variable between requests.',
    });
  }
  if (given.length < 2) return inconclusive('fewer than two tokens were given at the same moment', evidenceOf(all));
  return pass(evidenceOf(given));
}

const NAMES = ['Cleo', 'Dora'] as const;

function judgeSignInsAtOnce(journal: JournalView): Finding {
  const { steps } = signInsAtOnce;
  const both = NAMES.map((name) => ({
    first: journal.step(steps.signIn(name)),
    again: journal.step(steps.returns(name)),
  }));
  const [one, two] = both.map(({ again }) => again);
  if (!one || !two) return notRun(journal, steps.returns('Cleo'));
  const evidence = evidenceOf([one, two]);
  const advice = 'Keep the session that is being opened in a variable of its own request.';
  if (isDone(one) && isDone(two) && yielded(one, 'token') === yielded(two, 'token'))
    return fail({ expected: 'two sessions', actual: 'both users were given the same session', evidence, advice });
  for (const [index, { first, again }] of both.entries()) {
    const other = both[1 - index]?.first;
    if (first && other && again && isDone(again) && yielded(again, 'user') === yielded(other, 'user')) {
      if (yielded(first, 'user') === yielded(other, 'user')) continue;
      return fail({ expected: "each user's own session", actual: "one was given the other's user", evidence, advice });
    }
  }
  if (!isDone(one) || !isDone(two)) {
    const bad = [one, two].find((played) => !isDone(played)) as PlayedStep;
    return inconclusive(`a sign-in did not succeed (${describe(bad.result)})`, bad.evidence);
  }
  return pass(evidence);
}

/** The client's own request of a step. */
const requestOf = ({ exchanges }: PlayedStep) => exchanges.find(({ link }) => link === 'client->auth');

function judgeLogoutMeanwhile(journal: JournalView): Finding {
  const { steps } = logoutMeanwhile;
  const [asked, ended] = [journal.step(steps.token), journal.step(steps.logout)];
  if (!asked || !ended) return notRun(journal, steps.token);
  const evidence = [...asked.evidence, ...ended.evidence];
  if (!isDone(ended)) return inconclusive(`the logout did not succeed (${describe(ended.result)})`, ended.evidence);
  const answeredAt = requestOf(ended)?.endedAt ?? ended.endedAt;
  const token = yielded(asked, 'exchangeToken');
  if (sentTo(asked, SAVE_EXCHANGE_TOKEN).length === 0)
    return inconclusive('the EHR server was not called, so nothing was under way when the session ended', evidence);
  const save = journal
    .exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)
    .find(({ facts }) => facts.call?.exchangeToken !== undefined && facts.call.exchangeToken === token);
  if (isDone(asked) && save?.facts.reply?.result && save.endedAt > answeredAt + CLOCK_MARGIN_MS)
    return fail({
      expected: 'the request is refused: its session has ended',
      actual: `the EHR server acknowledged the token ${save.endedAt - answeredAt} ms after the logout was answered, and the client was given it`,
      evidence: [...evidence, save.seq],
      advice:
        'Look again whether the session is still there when the EHR server has answered, before the token is given out.',
    });
  if (asked.result.kind === 'failed')
    return inconclusive(`the request was not answered (${describe(asked.result)})`, asked.evidence);
  return pass(evidence);
}

/** Moments closer than this (ms) count as simultaneous. */
const CLOCK_MARGIN_MS = 20;

function judgeDeletionMeanwhile(journal: JournalView): Finding {
  const { steps } = deletionMeanwhile;
  const [control, report, ended] = [steps.control, steps.report, steps.delete].map((label) => journal.step(label));
  const [after, newSignIn] = [journal.step(steps.after), journal.step(steps.anew)];
  if (!control || !report || !ended || !after) return notRun(journal, steps.after);
  const evidence = [...report.evidence, ...ended.evidence];
  if (!isDone(ended)) return inconclusive(`the deletion did not succeed (${describe(ended.result)})`, ended.evidence);
  const advice =
    'When the EHR server has answered a report, look again whether the user is still there, and keep nothing of a user who is gone.';
  if (isDone(after))
    return fail({
      expected: 'the session is refused: its user was deleted',
      actual: 'it was given an exchange token',
      evidence: [...evidence, ...after.evidence],
      advice,
    });
  const answeredAt = requestOf(ended)?.endedAt ?? ended.endedAt;
  const late = sentTo(report, SAVE_AUTH_INFO).find(({ at }) => at > answeredAt + CLOCK_MARGIN_MS);
  if (late)
    return fail({
      expected: 'nothing is saved for a user who was deleted',
      actual: 'save_auth_info was sent after the deletion was answered',
      evidence: [...evidence, late.seq],
      advice,
    });
  const used = newSignIn && sentTo(newSignIn, SAVE_AUTH_INFO)[0];
  if (used)
    return fail({
      expected: 'the next sign-in is that of a new user',
      actual: 'save_auth_info was sent with the user_sign of the deleted user',
      evidence: [...evidence, ...newSignIn.evidence, used.seq],
      advice,
    });
  if (!newSignIn) return notRun(journal, steps.anew);
  if (!isDone(newSignIn))
    return fail({
      expected: 'the phone signs in as new',
      actual: describe(newSignIn.result),
      evidence: [...evidence, ...newSignIn.evidence],
      advice,
      timeSensitive: true,
    });
  return pass([...evidence, ...after.evidence, ...newSignIn.evidence]);
}
