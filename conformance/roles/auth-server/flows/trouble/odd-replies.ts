/** Unusual replies of the EHR server: a known token, another type of id, late, in parts, a redirect. */
import { scenario } from '../scenario.ts';
import { errorOf, LATE_MS, MAX_RETRIES, type Oddity, oddities } from './troubles.ts';

export const duplicateToken = scenario({
  id: 'duplicate-token',
  title: 'The EHR server says that the token of a returning user is stored already',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 2 * resend,
  steps: {
    signIn: 'Tom signs in',
    link: 'Tom links',
    control: 'returns without trouble',
    requests: 'a code for the duplicate',
    duplicate: 'returns with a duplicate token',
    reads: 'reads the record after the duplicate',
  },
  async run(driver, steps) {
    const tom = await driver.user('Tom');
    await driver.signIn(tom, steps.signIn);
    await driver.link(tom, steps.link);
    await driver.passResendPause();
    await driver.signIn(tom, steps.control, { userSign: tom.userSign as string });
    await driver.passResendPause();
    const code = await driver.code(tom, steps.requests);
    const error = errorOf({ code: -34003, reason: 'token_already_stored' });
    const end = driver.fault(tom, 'auth-info', { name: 'refuse', error });
    await driver.perform(tom, 'confirmOtp', steps.duplicate, {
      defect: 'the EHR server says once that the token is stored already',
      input: { code, userSign: tom.userSign as string },
    });
    end();
    await driver.callEhr(tom, 'getPatient', steps.reads);
  },
});

export const oddReplies = scenario({
  id: 'odd-replies',
  title: 'The EHR server answers rightly, but with another type of id, late, or in parts',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: oddities.length,
  waits: ({ resend }) => resend,
  steps: {
    signIn: (oddity: Oddity) => `sign in for ${oddity}`,
    control: (oddity: Oddity) => `exchange token without ${oddity}`,
    token: (oddity: Oddity) => `exchange token: ${oddity}`,
    authenticate: (oddity: Oddity) => `authenticate: ${oddity}`,
    report: (oddity: Oddity) => `report: ${oddity}`,
    returns: (oddity: Oddity) => `return: ${oddity}`,
  },
  async run(driver, steps) {
    await driver.forEach(
      oddities,
      (name) => `odd ${name}`,
      async (user, name) => {
        await driver.signIn(user, steps.signIn(name));
        // The EHR server returns a string id anyway, so the control uses a number.
        const endControl =
          name === 'string-id' ? driver.fault(user, 'exchange-token', { name: 'number-id' }) : undefined;
        await driver.mustSucceed(user, 'exchangeToken', steps.control(name));
        endControl?.();
        const fault = name === 'late' ? { name, delay: LATE_MS } : { name };
        const ends = [driver.fault(user, 'exchange-token', fault), driver.fault(user, 'auth-info', fault)];
        await driver.perform(user, 'exchangeToken', steps.token(name));
        await driver.callEhr(user, 'authenticate', steps.authenticate(name));
        if (driver.adapter.has('reportLink')) await driver.perform(user, 'reportLink', steps.report(name));
        else if (user.userSign !== undefined && (await driver.passResendPause()))
          await driver.trySignIn(user, steps.returns(name), { input: { userSign: user.userSign } });
        for (const end of ends) end();
      },
    );
  },
});

export const redirect = scenario({
  id: 'redirect',
  title: 'The EHR server answers with a redirect to another address',
  needs: ['confirmOtp', 'exchangeToken'],
  steps: {
    signIn: 'sign in',
    before: 'before the redirect',
    during: 'while redirected',
    afterwards: 'after the redirect',
  },
  async run(driver, steps) {
    const uma = await driver.user('Uma');
    await driver.signIn(uma, steps.signIn);
    await driver.mustSucceed(uma, 'exchangeToken', steps.before);
    const end = driver.fault(uma, 'exchange-token', { name: 'redirect', location: REDIRECT_PATH }, MAX_RETRIES);
    await driver.perform(uma, 'exchangeToken', steps.during, { defect: 'the EHR server answers with a redirect' });
    end();
    await driver.perform(uma, 'exchangeToken', steps.afterwards);
  },
});

/** The target of the redirect: no other request uses this path. */
export const REDIRECT_PATH = '/elsewhere/';
