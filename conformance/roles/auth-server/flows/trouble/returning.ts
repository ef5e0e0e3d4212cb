/** Helpers of scenarios in which linked users return while the EHR server fails, or after it has failed. */
import type { Driver, User } from '../../people/driver.ts';
import type { StepLabel } from '../../people/steps.ts';
import { part } from '../labels.ts';

/** The input of a sign-in that sends the user's signature; empty where the user has none. */
export const withSign = ({ userSign }: User) => (userSign === undefined ? {} : { userSign });

/** Links the user as {@link Driver.link} does, but lets the scenario go on when a part of the link fails. */
export async function tryLink(driver: Driver, user: User, label: StepLabel): Promise<void> {
  const asked = await driver.perform(user, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind !== 'done') return;
  const linked = await driver.callEhr(user, 'authenticate', part(label, 'authenticate'));
  if (linked.kind === 'done' && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', part(label, 'report'));
}
