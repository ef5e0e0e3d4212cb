/**
 * The scenario `save-trouble`: the kit's EHR server fails in every way while the authorization server saves a
 * session, because a client has reported its link. After each failure the report is tried without trouble.
 */
import { SAVE_AUTH_INFO } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { type Place, troubleChecks, withRefusals, withTroubles } from './in-trouble.ts';
import { ENDLESS, errorOf, failures, MAX_RETRIES, refusals, strangeReplies } from './troubles.ts';

const troubles = [...failures, ...strangeReplies];

/**
 * The refusals that are played. token_already_stored is not played: for the server's own session it means
 * that an earlier save was carried out.
 */
const refusalsOfSaves = refusals.filter(({ reason }) => reason !== 'token_already_stored');

/** The label of the report without trouble, which is the control of all troubles. */
const CONTROL = 'without trouble: report';

/** The name of the user who meets all refusals, one after another. Each trouble has a user of its own. */
const SOL = 'Sol' as const;

/** What the checks of this scenario have in common. */
const PLACE: Place = {
  prefix: 'save',
  what: 'a session is saved',
  method: SAVE_AUTH_INFO,
  surviveAdvice:
    'Keep no state of a failed call. When the EHR server says token_already_stored of this very user and token, an earlier save of yours was carried out and its reply was lost: that is success.',
};

/** Every trouble and refusal of this scenario with the labels of its steps. */
const meetings = [
  ...withTroubles((name) => ({ control: CONTROL, during: `while: ${name}`, afterwards: `after: ${name}` })),
  ...withRefusals(refusalsOfSaves, (reason) => ({ control: CONTROL, during: `refused: ${reason}` })),
];

export const saveTrouble = flow({
  id: 'save-trouble',
  title: 'The EHR server fails in every way while the link is being reported',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  people: 2,
  // A code for the control, one for Sol, and one for the user of each trouble.
  codes: troubles.length + 2,
  // In some troubles the EHR server does not answer at all.
  meetsSilence: true,
  waits: ({ resend }) => resend,
  async play(driver) {
    const control = await driver.signedIn('Rae');
    await driver.link(control, 'without trouble');
    await driver.forEach(
      [SOL, ...troubles],
      (name) => (name === SOL ? SOL : `reporter ${name}`),
      async (user, name) => {
        if (name === SOL) return reportWhileRefused(driver, user);
        await driver.signIn(user, `sign in for ${name}`);
        await driver.mustSucceed(user, 'exchangeToken', `exchange token for ${name}`);
        await driver.mustCallEhr(user, 'authenticate', `authenticate for ${name}`);
        // Users in endless trouble wait here, so that their troubles begin together and are waited for once.
        if (ENDLESS.has(name)) await driver.passResendPause();
        // The trouble meets this many calls: the first one and its retries.
        const end = driver.fault(user, 'auth-info', { name }, MAX_RETRIES);
        await driver.perform(user, 'reportLink', `while: ${name}`, {
          defect: `the EHR server's fault: ${name}`,
        });
        end();
        await driver.perform(user, 'reportLink', `after: ${name}`);
      },
    );
  },
  checks: troubleChecks(PLACE, meetings),
});

async function reportWhileRefused(driver: Driver, sol: User): Promise<void> {
  await driver.signIn(sol, 'Sol signs in');
  await driver.linkUnreported(sol, 'Sol');
  for (const refusal of refusalsOfSaves) {
    const end = driver.fault(sol, 'auth-info', { name: 'refuse', error: errorOf(refusal) }, MAX_RETRIES);
    await driver.perform(sol, 'reportLink', `refused: ${refusal.reason}`, {
      defect: `the EHR server refuses: ${refusal.reason}`,
    });
    end();
  }
  await driver.perform(sol, 'reportLink', 'after all trouble');
}
