import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { part } from '../labels.ts';
import { disconnectedChecks } from './disconnected-checks.ts';
import { tryLink, withSign } from './save-trouble.ts';

export const disconnectedElsewhere = flow({
  id: 'disconnected-elsewhere',
  title:
    'Users disconnect at the EHR server from another device, one of them with a new link, sign in with the old signature, and link again',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const [eva, finn] = [await driver.user('Eva'), await driver.user('Finn')];
    await driver.signIn(eva, 'Eva signs in first');
    await driver.link(eva, 'Eva links');
    await driver.mustCallEhr(eva, 'removeAuthentication', 'Eva disconnects at the EHR server');
    await driver.signIn(finn, 'Finn signs in first');
    await driver.link(finn, 'Finn links');
    await driver.mustCallEhr(finn, 'removeAuthentication', 'Finn disconnects at the EHR server');
    const gita = await driver.user('Gita');
    const first = await linkUnreported(driver, gita);
    const defect = 'the EHR server knows the link no more';
    if (!(await driver.passResendPause())) return;
    const gitas = await driver.trySignIn(gita, 'Gita signs in with the signature of her first link', {
      ...withSign({ ...gita, userSign: first }),
      defect: 'the EHR server has another link',
    });
    const evas = await driver.trySignIn(eva, 'Eva signs in with the signature of the link that is gone', {
      ...withSign(eva),
      defect,
    });
    if (evas.kind === 'done') await driver.callEhr(eva, 'getPatient', 'Eva: get patient', { defect });
    const finns = await driver.trySignIn(finn, 'Finn signs in without a signature', { defect });
    if (finns.kind === 'done') await driver.callEhr(finn, 'getPatient', 'Finn: get patient', { defect });
    if (!(await driver.passResendPause())) return;
    // Where the sign-in failed, the client drops the signature and tries again.
    if (evas.kind !== 'done') await driver.trySignIn(eva, 'Eva signs in again, without a signature');
    if (gitas.kind !== 'done')
      await driver.trySignIn({ ...gita }, 'Gita signs in again, without a signature');
    await driver.trySignIn(finn, 'Finn signs in again, without a signature');
    await tryLink(driver, eva, 'Eva links anew');
    await tryLink(driver, finn, 'Finn links anew');
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(eva, 'Eva signs in with the new signature', withSign(eva));
    await driver.trySignIn(finn, 'Finn signs in after the new link, without a signature');
  },
  checks: disconnectedChecks,
});

/** Links Gita twice, the second time without a report. Returns the signature of the first link. */
async function linkUnreported(driver: Driver, gita: User): Promise<string> {
  await driver.signIn(gita, 'Gita signs in first');
  await driver.link(gita, 'Gita links');
  const first = gita.userSign as string;
  await driver.mustCallEhr(gita, 'removeAuthentication', 'Gita disconnects at the EHR server');
  const asked = await driver.perform(
    gita,
    'exchangeToken',
    part('Gita links anew without a report', 'exchange token'),
  );
  if (asked.kind === 'done')
    await driver.callEhr(gita, 'authenticate', part('Gita links anew without a report', 'authenticate'));
  return first;
}
