/** A user disconnects at the EHR server alone, and links again in the session they have. */
import { part, scenario } from '../scenario.ts';

export const linkedAnew = scenario({
  id: 'linked-anew',
  title: 'A linked user disconnects at the EHR server alone, links again in the same session, and returns',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Lu signs in',
    link: 'Lu links',
    disconnects: 'Lu disconnects at the EHR server',
    again: 'Lu links again in the same session',
    returns: 'Lu returns without a signature',
  },
  async run(driver, steps) {
    const lu = await driver.user('Lu');
    await driver.signIn(lu, steps.signIn);
    await driver.link(lu, steps.link);
    await driver.mustCallEhr(lu, 'removeAuthentication', steps.disconnects);
    // The authorization server is not told, so the session goes on there.
    await driver.link(lu, steps.again);
    if (!(await driver.passResendPause())) return;
    const isReported = driver.adapter.has('reportLink');
    await driver.trySignIn(lu, steps.returns, isReported ? {} : { input: { userSign: lu.userSign as string } });
  },
});

/** The parts of the second link. */
export const linkedAgain = {
  token: part(linkedAnew.steps.again, 'exchange token'),
  authenticate: part(linkedAnew.steps.again, 'authenticate'),
  report: part(linkedAnew.steps.again, 'report'),
};
