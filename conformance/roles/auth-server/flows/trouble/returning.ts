/** Steps of linked users who return in trouble. */
import type { Driver, User } from '../../people/driver.ts';
import type { StepLabel } from '../../people/steps.ts';
import { part } from '../labels.ts';

/** The signature, for a sign-in that brings it. */
export const withSign = ({ userSign }: User) => (userSign === undefined ? {} : { userSign });

/** As {@link Driver.link}, but continues when it fails. */
export async function tryLink(driver: Driver, user: User, label: StepLabel): Promise<void> {
  const asked = await driver.perform(user, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind !== 'done') return;
  const linked = await driver.callEhr(user, 'authenticate', part(label, 'authenticate'));
  if (linked.kind === 'done' && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', part(label, 'report'));
}
