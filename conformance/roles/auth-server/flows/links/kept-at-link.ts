/**
 * The scenario `kept-at-link`: a user links, and signs in again at once without sending the signature. It
 * shows whether the authorization server keeps the signature (user_sign) that was reported with the link.
 */
import { check, flow } from '../flow.ts';
import { KEEP_ADVICE, notKept } from './kept-sign.ts';

export const keptAtLink = flow({
  id: 'kept-at-link',
  title: 'A user returns straight after the link, without a signature',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const ivy = await driver.linked('Ivy');
    if (!(await driver.passResendPause())) return;
    const { kind } = await driver.trySignIn(ivy, 'Ivy returns without a signature');
    if (kind === 'done') await driver.callEhr(ivy, 'getPatient', 'Ivy reads the record');
  },
  checks: [
    check({
      id: 'signature-kept-at-link',
      title: 'A return straight after the link is saved without the client bringing its signature',
      requirements: ['K-link-kept'],
      judge: (steps, journal) => notKept(steps, journal, 'Ivy returns without a signature'),
      advice: KEEP_ADVICE,
    }),
  ],
});
