/**
 * The scenario `foreign-sign`: a user reports a link with the signature (user_sign) of another user. The
 * authorization server must answer with an error and must not keep the signature.
 */

import { describe } from '../../../../engine/journal/describe-result.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, wasTold } from '../step-values.ts';
import { returningUser } from './returning-user.ts';

/**
 * The label of the wrong report. Rules about all signatures leave out the step, which is wrong on purpose.
 */
export const FOREIGN_REPORT = "Gil reports Hal's signature";
/** The label of the report of a signature that the EHR server does not know. */
const LETTERS = 'Gil reports a signature with letters beyond ASCII';
const RETURNS = 'Gil returns without a signature';

export const foreignSign = flow({
  id: 'foreign-sign',
  title: "A user reports a link with another user's signature, and returns without one",
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  people: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    const [hal, gil] = [await driver.user('Hal'), await driver.user('Gil')];
    await driver.together([
      async () => {
        await driver.signIn(hal, 'Hal signs in');
        await driver.link(hal, 'Hal links');
      },
      () => driver.signIn(gil, 'Gil signs in'),
    ]);
    await driver.linkUnreported(gil, 'Gil');
    await driver.perform(gil, 'reportLink', LETTERS, {
      defect: 'the EHR server knows no such signature',
      userSign: driver.inventedSign(gil),
    });
    await driver.perform(gil, 'reportLink', FOREIGN_REPORT, {
      defect: 'the signature is of another user',
      userSign: hal.userSign as string,
    });
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(gil, RETURNS);
  },
  checks: [
    check({
      id: 'foreign-sign-refused',
      title: "The report of a link with another user's signature is told as an error",
      requirements: ['K-failure-told'],
      judge(steps) {
        const played = steps.of(FOREIGN_REPORT);
        if (isDone(played)) return fault('an error to the client', 'it succeeded', played);
        if (!steps.all('Hal links: report').some(isDone))
          return { unclear: 'the owner of the signature could not report it either' };
        return wasTold(played) ? undefined : { unclear: describe(played.result), shownBy: [played] };
      },
      advice:
        'Report success only after the EHR server has accepted save_auth_info with this very signature.',
    }),
    check({
      id: 'sign-beyond-ascii-digested',
      title: 'A signature with letters beyond ASCII is digested in UTF-8',
      requirements: ['K-text-whole'],
      judge(steps) {
        const played = steps.of(LETTERS);
        const [save] = sentTo(played, SAVE_AUTH_INFO);
        if (!save) return { notApplicable: 'the server takes no such signature' };
        if (save.facts.digest?.over?.kind === 'user-sign') return { right: [played] };
        return {
          expected: 'the digest over the internal password and the bytes of the signature in UTF-8',
          actual: 'the digest is over another text',
          shownBy: [played, save],
        };
      },
      advice: 'Digest the signature as it came, in UTF-8, without another normal form of its letters.',
      red({ exchanges }) {
        for (const { facts } of exchanges('auth->ehr', SAVE_AUTH_INFO)) delete facts.digest?.over;
      },
    }),
    check({
      id: 'foreign-sign-not-kept',
      title: "Another user's signature, refused by the EHR server, is not used at a later sign-in",
      requirements: ['K-unproven-sign-not-kept'],
      also: [returningUser],
      judge(steps) {
        const played = steps.of(RETURNS);
        const saves = steps.all(RETURNS).flatMap((step) => sentTo(step, SAVE_AUTH_INFO));
        const wrong = saves.find(
          ({ facts: { call, digest } }) =>
            digest?.over?.kind === 'user-sign' && digest.over.owner !== call?.user,
        );
        if (wrong)
          return {
            expected: "no save_auth_info with another user's user_sign",
            actual: 'the signature that was reported and refused was kept, and used for this user',
            shownBy: [played, wrong],
          };
        const tried = steps.all(FOREIGN_REPORT);
        if (!tried.some((report) => sentTo(report, SAVE_AUTH_INFO).length > 0))
          return { unclear: 'the foreign signature did not reach the EHR server', shownBy: tried };
        // A server that keeps no signatures at all cannot keep a foreign one either.
        const onRecord = steps.in(returningUser).find('Bea returns on another device');
        if (onRecord && sentTo(onRecord, SAVE_AUTH_INFO).length === 0)
          return {
            notApplicable:
              'no sign-in used a signature that the server keeps, so whether it keeps a foreign one cannot be seen',
          };
        if (isDone(played)) return undefined;
        return { unclear: `the return did not succeed (${describe(played.result)})`, shownBy: [played] };
      },
      advice: 'Keep the signature of a report only after the EHR server has accepted save_auth_info with it.',
      // A signature that was kept so is another user's at the next sign-in.
      explains: ['own-user-sign'],
    }),
  ],
});
