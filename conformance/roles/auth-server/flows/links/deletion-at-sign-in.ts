/** A deletion that overtakes a sign-in. */
import { whileHeld } from '../../player/time/overlap.ts';
import { scenario } from '../scenario.ts';
import { LATE_MS } from '../trouble/troubles.ts';

export const deletionAtSignIn = scenario({
  id: 'deletion-at-sign-in',
  title: 'A linked user returns, and is deleted from the first device while the sign-in is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Udo signs in',
    link: 'Udo links',
    requests: 'Udo requests a code for the return',
    returns: 'Udo returns during the deletion',
    delete: 'Udo is deleted meanwhile',
    after: 'Udo asks for an exchange token after both',
  },
  async run(driver, steps) {
    const udo = await driver.user('Udo');
    await driver.signIn(udo, steps.signIn);
    await driver.link(udo, steps.link);
    if (!(await driver.passResendPause())) return;
    const firstDevice = { ...udo };
    const code = await driver.code(udo, steps.requests);
    await whileHeld(
      driver,
      {
        user: udo,
        step: 'confirmOtp',
        label: steps.returns,
        options: { defect: 'the user is deleted meanwhile', input: { code, userSign: udo.userSign as string } },
      },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(firstDevice, 'deleteUser', steps.delete),
    );
    if (udo.token === firstDevice.token) return;
    await driver.perform(udo, 'exchangeToken', steps.after, { defect: 'the user was deleted' });
  },
});
