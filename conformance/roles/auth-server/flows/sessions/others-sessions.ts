import type { StepName } from '../../../../engine/journal/entry.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import {
  AFTER_DELETIONS,
  AFTER_LOGOUTS,
  AFTER_MAX,
  AFTER_NIA,
  AFTER_OLAF,
  MAX_LOGS_OUT,
  NIA_DELETES,
  OLAF_LOGS_OUT,
  OTHER_VIC_BEFORE,
  othersSessionsChecks,
  PIA_BEFORE,
  VIC_BEFORE,
  WAYS,
} from './others-sessions-checks.ts';

export const othersSessions = flow({
  id: 'others-sessions',
  title:
    'A report, a logout and a deletion are tried in the name of a user by others, then made by them for themselves, and the session is tried afterwards',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  async play(driver) {
    const { adapter } = driver;
    if (!(['reportLink', 'logout', 'deleteUser'] as const).some((name) => adapter.has(name))) return;
    let vic = await driver.signedIn('Vic');
    const max = await driver.signedIn('Max');
    await driver.mustSucceed(vic, 'exchangeToken', VIC_BEFORE);
    if (adapter.has('reportLink')) {
      await driver.linkUnreported(max, 'Max');
      await tryAll(driver, { step: 'reportLink', vic, other: max, label: 'report for Vic' });
    }
    if (adapter.has('logout')) {
      await tryAll(driver, { step: 'logout', vic, other: max, label: 'log out Vic' });
      const { kind } = await driver.perform(vic, 'exchangeToken', AFTER_LOGOUTS);
      // A server that ended Vic's session would spoil the next attempts, so another user takes Vic's place.
      if (kind !== 'done') vic = (await anotherVic(driver)) ?? vic;
    }
    if (adapter.has('deleteUser')) {
      // Not Max: he tried to log Vic out, and the server may have ended his session for that.
      const nia = await driver.signedIn('Nia');
      await tryAll(driver, { step: 'deleteUser', vic, other: nia, label: 'delete Vic' });
      await driver.perform(vic, 'exchangeToken', AFTER_DELETIONS);
      await driver.perform(nia, 'deleteUser', NIA_DELETES);
      await driver.perform(vic, 'exchangeToken', AFTER_NIA);
    }
    if (adapter.has('logout')) {
      const { kind } = await driver.perform(max, 'logout', MAX_LOGS_OUT);
      await driver.perform(vic, 'exchangeToken', AFTER_MAX);
      if (kind !== 'done') await logOutBeside(driver);
    }
  },
  checks: othersSessionsChecks,
});

/** Somebody takes Vic's place whose session has ended; undefined where it cannot be. */
async function anotherVic(driver: Driver): Promise<User | undefined> {
  const user = driver.adapter.has('deleteUser') ? await driver.newcomer('another Vic') : undefined;
  const label = 'another Vic signs in, where an attempt ended the session';
  if (!user || (await driver.trySignIn(user, label)).kind !== 'done') return undefined;
  return (await driver.perform(user, 'exchangeToken', OTHER_VIC_BEFORE)).kind === 'done' ? user : undefined;
}

/** Logs out Olaf, while Pia has a session. Plays nothing where phones are few. */
async function logOutBeside(driver: Driver): Promise<void> {
  const [olaf, pia] = [await driver.newcomer('Olaf'), await driver.newcomer('Pia')];
  if (!olaf || !pia) return;
  await driver.trySignIn(olaf, 'Olaf signs in, where Max had no session any more');
  await driver.trySignIn(pia, 'Pia signs in, where Max had no session any more');
  await driver.perform(pia, 'exchangeToken', PIA_BEFORE);
  await driver.perform(olaf, 'logout', OLAF_LOGS_OUT);
  await driver.perform(pia, 'exchangeToken', AFTER_OLAF);
}

/** A step that `other` tries in the name of `vic`. The labels of the attempts begin with `label`. */
type Attempts = { step: StepName; vic: User; other: User; label: string };

/** Tries the step in each of the ways, with copies of the users: what a step yields must not change them. */
async function tryAll(driver: Driver, { step, vic, other, label }: Attempts): Promise<void> {
  const [none, altered, named, bare] = WAYS;
  const sign = step === 'reportLink' && other.userSign !== undefined ? { userSign: other.userSign } : {};
  await driver.perform({ ...vic }, step, `${label} ${none}`, {
    defect: 'there is no session at all',
    ...sign,
    withoutSession: true,
  });
  await driver.perform({ ...vic }, step, `${label} ${bare}`, {
    defect: 'there is no token',
    ...sign,
    withoutToken: true,
  });
  await driver.perform({ ...vic }, step, `${label} ${altered}`, {
    defect: 'one character of the token is another',
    ...sign,
    ...driver.spoiltSession(vic, 'changed'),
  });
  if (driver.whoCalls(step).user)
    await driver.perform({ ...other }, step, `${label} ${named}`, {
      defect: 'the session is not that of the user who is named',
      ...sign,
      user: vic.user as string,
    });
}
