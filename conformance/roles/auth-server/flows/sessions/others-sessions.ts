/** Reports, logouts and deletions by others: without a session, altered, or in another user's name. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import type { Driver, User } from '../../player/driver.ts';
import { type Label, scenario } from '../scenario.ts';

/** The ways in which others try it. */
export const WAYS = [
  'without a session',
  'with a session that is right in part',
  'in the name of another user',
  'without the token and what carries it',
] as const;
export type Way = (typeof WAYS)[number];

export const othersSessions = scenario({
  id: 'others-sessions',
  title:
    'A report, a logout and a deletion are tried in the name of a user by others, then made by them for themselves, and the session is tried afterwards',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  steps: {
    vic: 'Vic signs in',
    max: 'Max signs in',
    nia: 'Nia signs in',
    before: 'Vic asks for an exchange token before',
    maxToken: 'Max: exchange token',
    maxAuthenticates: 'Max: authenticate',
    report: (way: Way) => `report for Vic ${way}`,
    logout: (way: Way) => `log out Vic ${way}`,
    afterLogout: 'Vic asks for an exchange token after the logouts',
    anotherVic: 'another Vic signs in, where an attempt ended the session',
    beforeDeletion: 'the other Vic asks for an exchange token before the deletions',
    deletion: (way: Way) => `delete Vic ${way}`,
    afterDeletion: 'Vic asks for an exchange token after the deletions',
    maxLogsOut: 'Max logs out',
    afterMax: 'Vic asks for an exchange token after the logout of Max',
    olaf: 'Olaf signs in, where Max had no session any more',
    pia: 'Pia signs in, where Max had no session any more',
    piaBefore: 'Pia asks for an exchange token',
    olafLogsOut: 'Olaf logs out',
    piaAfter: 'Pia asks for an exchange token after the logout of Olaf',
    niaDeletes: 'Nia, who was never linked, is deleted',
    afterNia: 'Vic asks for an exchange token after the deletion of Nia',
  },
  async run(driver, steps) {
    const { adapter } = driver;
    if (!(['reportLink', 'logout', 'deleteUser'] as const).some((name) => adapter.has(name))) return;
    let vic = await driver.user('Vic');
    const max = await driver.user('Max');
    await driver.signIn(vic, steps.vic);
    await driver.signIn(max, steps.max);
    await driver.mustSucceed(vic, 'exchangeToken', steps.before);
    if (adapter.has('reportLink')) {
      await driver.mustSucceed(max, 'exchangeToken', steps.maxToken);
      await driver.mustCallEhr(max, 'authenticate', steps.maxAuthenticates);
      await tryAll(driver, { step: 'reportLink', vic, other: max, label: steps.report });
    }
    if (adapter.has('logout')) {
      await tryAll(driver, { step: 'logout', vic, other: max, label: steps.logout });
      const { kind } = await driver.perform(vic, 'exchangeToken', steps.afterLogout);
      if (kind !== 'done') vic = (await anotherVic(driver)) ?? vic;
    }
    if (adapter.has('deleteUser')) {
      // The logout may rightly have ended Max's session.
      const nia = await driver.user('Nia');
      await driver.signIn(nia, steps.nia);
      await tryAll(driver, { step: 'deleteUser', vic, other: nia, label: steps.deletion });
      await driver.perform(vic, 'exchangeToken', steps.afterDeletion);
      await driver.perform(nia, 'deleteUser', steps.niaDeletes);
      await driver.perform(vic, 'exchangeToken', steps.afterNia);
    }
    if (adapter.has('logout')) {
      const { kind } = await driver.perform(max, 'logout', steps.maxLogsOut);
      await driver.perform(vic, 'exchangeToken', steps.afterMax);
      if (kind !== 'done') await logOutBeside(driver);
    }
  },
});

/** A user for the deletions where the session of the first one has ended; undefined where phones are few. */
async function anotherVic(driver: Driver): Promise<User | undefined> {
  const { steps } = othersSessions;
  const user = driver.adapter.has('deleteUser') ? await driver.newcomer('another Vic') : undefined;
  if (!user || (await driver.trySignIn(user, steps.anotherVic)).kind !== 'done') return undefined;
  return (await driver.perform(user, 'exchangeToken', steps.beforeDeletion)).kind === 'done' ? user : undefined;
}

/** A logout beside another session, both of them new; nothing where phones are few. */
async function logOutBeside(driver: Driver): Promise<void> {
  const { steps } = othersSessions;
  const [olaf, pia] = [await driver.newcomer('Olaf'), await driver.newcomer('Pia')];
  if (!olaf || !pia) return;
  await driver.trySignIn(olaf, steps.olaf);
  await driver.trySignIn(pia, steps.pia);
  await driver.perform(pia, 'exchangeToken', steps.piaBefore);
  await driver.perform(olaf, 'logout', steps.olafLogsOut);
  await driver.perform(pia, 'exchangeToken', steps.piaAfter);
}

type Attempts = { step: StepName; vic: User; other: User; label: (way: Way) => Label };

async function tryAll(driver: Driver, { step, vic, other, label }: Attempts): Promise<void> {
  const [none, altered, named, bare] = WAYS;
  const sign = step === 'reportLink' && other.userSign !== undefined ? { userSign: other.userSign } : {};
  await driver.perform({ ...vic }, step, label(none), {
    defect: 'there is no session at all',
    input: { ...sign, withoutSession: true },
  });
  await driver.perform({ ...vic }, step, label(bare), {
    defect: 'there is no token',
    input: { ...sign, withoutToken: true },
  });
  await driver.perform({ ...vic }, step, label(altered), {
    defect: 'one character of the token is another',
    input: { ...sign, ...driver.spoiltSession(vic, 'changed') },
  });
  if (driver.whoCalls(step).user)
    await driver.perform({ ...other }, step, label(named), {
      defect: 'the session is not that of the user who is named',
      input: { ...sign, user: vic.user as string },
    });
}
