/** Linked users meet trouble and then return without a signature: did the server keep the link? */

import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, User } from '../../player/driver.ts';
import { scenario } from '../scenario.ts';
import { errorOf, MAX_RETRIES } from './troubles.ts';

/** What happens between the link and the return. */
export const CASES = ['outage', 'refusal', 'wrong signature at a sign-in', 'wrong signature reported'] as const;
export type Case = (typeof CASES)[number];

export const signKeptInTrouble = scenario({
  id: 'sign-kept-in-trouble',
  title: 'Linked users meet trouble with the EHR server, or show a wrong signature, and return without one',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  codes: 1 + 3 * CASES.length,
  waits: ({ resend }) => 2 * resend,
  steps: {
    owner: 'Tia signs in',
    ownerLinks: 'Tia links',
    signIn: (name: Case) => `sign in before: ${name}`,
    link: (name: Case) => `link before: ${name}`,
    during: (name: Case) => `while: ${name}`,
    returns: (name: Case) => `return without a signature after: ${name}`,
  },
  async run(driver, steps) {
    const tia = await driver.user('Tia');
    await driver.signIn(tia, steps.owner);
    await driver.link(tia, steps.ownerLinks);
    await driver.forEach(
      CASES.filter((name) => name !== 'wrong signature reported' || driver.adapter.has('reportLink')),
      (name) => `user of ${name}`,
      async (user, name) => {
        await driver.signIn(user, steps.signIn(name));
        await driver.link(user, steps.link(name));
        if (!(await meet(driver, { user, name, wrong: tia.userSign as string })) || !(await driver.passResendPause()))
          return;
        await driver.trySignIn(user, steps.returns(name));
      },
    );
  },
});

const FAULTS: Readonly<Partial<Record<Case, Fault>>> = {
  outage: { name: 'http-500' },
  refusal: { name: 'refuse', error: errorOf({ code: -33403, reason: 'access_forbidden' }) },
};

type Meeting = { user: User; name: Case; wrong: string };

async function meet(driver: Driver, { user, name, wrong }: Meeting): Promise<boolean> {
  const label = signKeptInTrouble.steps.during(name);
  if (name === 'wrong signature reported') {
    await driver.perform(user, 'reportLink', label, {
      defect: 'the signature is of another user',
      input: { userSign: wrong },
    });
    return true;
  }
  if (!(await driver.passResendPause())) return false;
  const fault = FAULTS[name];
  const end = fault && driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  await driver.trySignIn(user, label, {
    defect: fault ? `the EHR server's ${name}` : 'the signature is of another user',
    input: fault ? {} : { userSign: wrong },
  });
  end?.();
  return true;
}
