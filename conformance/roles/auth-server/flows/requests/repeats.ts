/** Calls that a server repeats: how often, and how it handles an answer caused by the repetition. */
import { scenario } from '../scenario.ts';
import { MAX_RETRIES } from '../trouble/troubles.ts';

export const gatewayStatuses = [502, 503, 504] as const;
export type GatewayStatus = (typeof gatewayStatuses)[number];

export const gatewayTrouble = scenario({
  id: 'gateway-trouble',
  title: 'A proxy in front of the EHR server answers HTTP 502, 503 and 504, and then the call is let through',
  needs: ['confirmOtp', 'exchangeToken'],
  steps: {
    signIn: 'Wes signs in',
    control: 'before any trouble',
    during: (status: GatewayStatus) => `while HTTP ${status}`,
    last: 'after all trouble',
  },
  async run(driver, steps) {
    const wes = await driver.user('Wes');
    await driver.signIn(wes, steps.signIn);
    await driver.mustSucceed(wes, 'exchangeToken', steps.control);
    for (const status of gatewayStatuses) {
      const end = driver.fault(wes, 'exchange-token', { name: 'http-500', status }, MAX_RETRIES);
      await driver.perform(wes, 'exchangeToken', steps.during(status), { defect: `the answer is HTTP ${status}` });
      end();
    }
    await driver.perform(wes, 'exchangeToken', steps.last);
  },
});

export const oneLostReply = scenario({
  id: 'one-lost-reply',
  title: 'The reply to the save of a session is lost once, so that a repeat finds the session stored already',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Zoe signs in',
    token: 'Zoe: exchange token',
    authenticate: 'Zoe: authenticate',
    save: 'the save whose reply is lost',
  },
  async run(driver, steps) {
    const zoe = await driver.user('Zoe');
    const defect = 'the first reply of the EHR server is lost';
    await driver.signIn(zoe, steps.signIn);
    await driver.mustSucceed(zoe, 'exchangeToken', steps.token);
    await driver.mustCallEhr(zoe, 'authenticate', steps.authenticate);
    const isReported = driver.adapter.has('reportLink');
    if (!isReported && !(await driver.passResendPause())) return;
    const end = driver.fault(zoe, 'auth-info', { name: 'reply-lost' });
    if (isReported) await driver.perform(zoe, 'reportLink', steps.save, { defect });
    else await driver.trySignIn(zoe, steps.save, { defect, input: { userSign: zoe.userSign as string } });
    end();
  },
});
