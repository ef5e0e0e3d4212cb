/** Makes people of earlier scenarios new again. */
import type { Label } from '../../../engine/journal/entry.ts';
import { part } from '../flows/labels.ts';
import type { Driver } from '../player/driver.ts';
import type { Person } from './people.ts';
import { stoppedAt, type User } from './user.ts';

/**
 * Makes a linked person new: removes their link at the EHR server, then signs in so that the server under
 * test notices (decision 34).
 */
export async function makeNew(
  driver: Driver,
  user: User,
  { person, scenario }: { person: Person; scenario: string },
): Promise<void> {
  const label: Label = { scenario, label: `${user.name} is made new` };
  await driver.passResendPause();
  await driver.signIn(user, label);
  if ((await driver.callEhr(user, 'removeAuthentication', part(label, 'authenticate'))).kind === 'done') {
    await driver.passResendPause();
    const stale = await driver.trySignIn(user, label, { defect: 'their link was removed at the EHR server' });
    if (stale.kind !== 'done') throw stoppedAt(label, stale);
  }
  await driver.passResendPause();
  person.linkedBefore = false;
  for (const name of ['user', 'token', 'ttl', 'userSign', 'exchangeToken'] as const) delete user[name];
}
