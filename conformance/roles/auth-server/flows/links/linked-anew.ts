/**
 * The scenario `linked-anew`: a linked user disconnects at the EHR server, without telling the authorization
 * server, and then links again in the same session.
 */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { check, flow } from '../flow.ts';
import { isDone, unclear } from '../step-values.ts';
import { isSaved, KEEP_ADVICE, notKept } from './kept-sign.ts';
import { TOKEN_ADVICE } from './many-tokens.ts';

// Labels of the parts of the second link, and of the first.
const [TOKEN, AUTHENTICATE, REPORT] = [
  'Lu links again in the same session: exchange token',
  'Lu links again in the same session: authenticate',
  'Lu links again in the same session: report',
] as const;
const [TOKEN_BEFORE, REPORT_BEFORE] = ['Lu links: exchange token', 'Lu links: report'] as const;
const RETURNS = 'Lu returns without a signature';

export const linkedAnew = flow({
  id: 'linked-anew',
  title: 'A linked user disconnects at the EHR server alone, links again in the same session, and returns',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const lu = await driver.linked('Lu');
    await driver.mustCallEhr(lu, 'removeAuthentication', 'Lu disconnects at the EHR server');
    // The authorization server is not told of it, so Lu's session goes on there.
    await driver.link(lu, 'Lu links again in the same session');
    if (!(await driver.passResendPause())) return;
    // A server to which no link is reported keeps no signature: then the client sends it.
    const isReported = driver.adapter.has('reportLink');
    await driver.trySignIn(lu, RETURNS, isReported ? {} : { userSign: lu.userSign as string });
  },
  checks: [
    check({
      id: 'links-again-in-session',
      title:
        'A user who disconnected at the EHR server alone links again in the same session, with the new user_sign',
      requirements: ['K-token-when-linked'],
      judge: notLinkedAgain,
      advice: TOKEN_ADVICE,
    }),
    check({
      id: 'newest-signature-kept',
      title: 'After a second link the return is saved with the user_sign of that link',
      requirements: ['K-link-kept'],
      judge(steps, journal) {
        const token = steps.find(TOKEN);
        if (token?.result.kind === 'failed')
          return unclear(`the second link did not succeed (${describe(token.result)})`, token);
        if (token?.result.kind === 'refused')
          return {
            notApplicable: 'the user could not link again in this session: see links-again-in-session',
          };
        return notKept(steps, journal, RETURNS);
      },
      advice: KEEP_ADVICE,
    }),
  ],
});

/**
 * Judges whether the second link succeeds: the session gets an exchange token, and the report makes the
 * server save the session at the EHR server with the new signature.
 */
function notLinkedAgain(steps: Steps): Judgement {
  const [before, token] = [steps.of(TOKEN_BEFORE), steps.of(TOKEN)];
  if (!isDone(token))
    return {
      expected: 'an exchange token for the session, as before',
      actual: describe(token.result),
      shownBy: [before, token],
      timeSensitive: token.result.kind === 'failed',
    };
  const first = steps.find(REPORT_BEFORE);
  // Where no link is reported, the authentication at the EHR server is the end of the link.
  if (!first) {
    const linked = steps.of(AUTHENTICATE);
    if (isDone(linked)) return undefined;
    return { expected: 'the link', actual: describe(linked.result), shownBy: [linked], timeSensitive: true };
  }
  const report = steps.of(REPORT);
  if (!isSaved(first))
    return { unclear: 'the first report saved no session either', shownBy: [first, report] };
  const save = sentTo(report, SAVE_AUTH_INFO).at(-1);
  if (isDone(report) && save?.facts.reply?.result) return undefined;
  const told = isDone(report) ? '' : `the report: ${describe(report.result)}; `;
  return {
    expected: 'the second report succeeds, and its save_auth_info is accepted',
    actual: `${told}save_auth_info was ${save ? replyWords(save) : 'not sent'}`,
    shownBy: [first, report],
    advice:
      'Send save_auth_info for every report, with the signature of that report, and keep this signature in the place of an earlier one.',
    timeSensitive: true,
  };
}
