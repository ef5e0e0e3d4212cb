/** Linked users sign in after they disconnected at the EHR server from another device. */
import type { Driver, User } from '../../player/driver.ts';
import { part, scenario } from '../scenario.ts';
import { tryLink, withSign } from './returning.ts';

export const disconnectedElsewhere = scenario({
  id: 'disconnected-elsewhere',
  title:
    'Users disconnect at the EHR server from another device, one of them with a new link, sign in with the old signature, and link anew',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  waits: ({ resend }) => 3 * resend,
  steps: {
    evaFirst: 'Eva signs in first',
    evaLinks: 'Eva links',
    evaDisconnects: 'Eva disconnects at the EHR server',
    evaReturns: 'Eva signs in with the signature of the link that is gone',
    evaReturnsAgain: 'Eva signs in again, without a signature',
    evaReads: 'Eva: get patient',
    evaLinksAnew: 'Eva links anew',
    evaReturnsLinked: 'Eva signs in with the new signature',
    finnFirst: 'Finn signs in first',
    finnLinks: 'Finn links',
    finnDisconnects: 'Finn disconnects at the EHR server',
    finnReturns: 'Finn signs in without a signature',
    finnReads: 'Finn: get patient',
    finnReturnsAgain: 'Finn signs in again, without a signature',
    finnLinksAnew: 'Finn links anew',
    finnReturnsLinked: 'Finn signs in after the new link, without a signature',
    gitaFirst: 'Gita signs in first',
    gitaLinks: 'Gita links',
    gitaDisconnects: 'Gita disconnects at the EHR server',
    gitaLinksUnreported: 'Gita links anew without a report',
    gitaReturns: 'Gita signs in with the signature of her first link',
    gitaReturnsAgain: 'Gita signs in again, without a signature',
  },
  async run(driver, steps) {
    const [eva, finn] = [await driver.user('Eva'), await driver.user('Finn')];
    await driver.signIn(eva, steps.evaFirst);
    await driver.link(eva, steps.evaLinks);
    await driver.mustCallEhr(eva, 'removeAuthentication', steps.evaDisconnects);
    await driver.signIn(finn, steps.finnFirst);
    await driver.link(finn, steps.finnLinks);
    await driver.mustCallEhr(finn, 'removeAuthentication', steps.finnDisconnects);
    const gita = await driver.user('Gita');
    const first = await linkUnreported(driver, gita);
    const defect = 'the EHR server knows the link no more';
    if (!(await driver.passResendPause())) return;
    const gitas = await driver.trySignIn(gita, steps.gitaReturns, {
      ...withSign({ ...gita, userSign: first }),
      defect: 'the EHR server has another link',
    });
    const evas = await driver.trySignIn(eva, steps.evaReturns, { ...withSign(eva), defect });
    if (evas.kind === 'done') await driver.callEhr(eva, 'getPatient', steps.evaReads, { defect });
    const finns = await driver.trySignIn(finn, steps.finnReturns, { defect });
    if (finns.kind === 'done') await driver.callEhr(finn, 'getPatient', steps.finnReads, { defect });
    if (!(await driver.passResendPause())) return;
    // A user who was told of the failure goes on without the signature.
    if (evas.kind !== 'done') await driver.trySignIn(eva, steps.evaReturnsAgain);
    if (gitas.kind !== 'done') await driver.trySignIn({ ...gita }, steps.gitaReturnsAgain);
    await driver.trySignIn(finn, steps.finnReturnsAgain);
    await tryLink(driver, eva, steps.evaLinksAnew);
    await tryLink(driver, finn, steps.finnLinksAnew);
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(eva, steps.evaReturnsLinked, withSign(eva));
    await driver.trySignIn(finn, steps.finnReturnsLinked);
  },
});

/** Links, disconnects and links anew, and reports the first link alone. Returns its signature. */
async function linkUnreported(driver: Driver, gita: User): Promise<string> {
  const { steps } = disconnectedElsewhere;
  await driver.signIn(gita, steps.gitaFirst);
  await driver.link(gita, steps.gitaLinks);
  const first = gita.userSign as string;
  await driver.mustCallEhr(gita, 'removeAuthentication', steps.gitaDisconnects);
  const asked = await driver.perform(gita, 'exchangeToken', part(steps.gitaLinksUnreported, 'exchange token'));
  if (asked.kind === 'done')
    await driver.callEhr(gita, 'authenticate', part(steps.gitaLinksUnreported, 'authenticate'));
  return first;
}
