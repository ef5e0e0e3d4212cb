/**
 * The scenario `exchange-token-trouble`: the kit's EHR server fails in every way while the authorization
 * server saves an exchange token. After each failure the same step is tried without trouble.
 */

import type { Fault } from '../../../../engine/wire/faults.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { yielded } from '../step-values.ts';
import { ANOTHER_OR_ERROR, anotherOrError } from './duplicate-token.ts';
import { type Place, troubleChecks, withRefusals, withTroubles } from './in-trouble.ts';
import { troubleToldApart } from './told-apart.ts';
import {
  ENDLESS,
  errorOf,
  type Failure,
  failures,
  MAX_RETRIES,
  refusals,
  type StrangeReply,
  strangeReplies,
} from './troubles.ts';

type Trouble = Failure | StrangeReply;
const troubles: readonly Trouble[] = [...failures, ...strangeReplies];

/** The number of users among whom the troubles are divided. One more user meets the refusals. */
const GROUP_COUNT = 6;

/** The number of the user who meets this trouble, counted from 0. That user's control belongs to it. */
const groupOf = (name: Trouble): number => troubles.indexOf(name) % GROUP_COUNT;

/** The label of the step that is answered with exchange_token_already_stored. */
const DUPLICATE = 'duplicate exchange token';

/** What the checks of this scenario have in common. */
const PLACE: Place = {
  prefix: 'exchange',
  what: 'an exchange token is saved',
  method: SAVE_EXCHANGE_TOKEN,
  surviveAdvice: 'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
};

/** Every trouble and refusal of this scenario with the labels of its steps. */
const meetings = [
  ...withTroubles((name) => ({
    control: `before any trouble ${groupOf(name)}`,
    during: `while: ${name}`,
    afterwards: `after: ${name}`,
  })),
  ...withRefusals(refusals, (reason) => ({
    control: `before any trouble ${GROUP_COUNT}`,
    during: `refused: ${reason}`,
  })),
];

export const exchangeTokenTrouble = flow({
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: 7,
  meetsSilence: true,
  waits: ({ resend }) => resend,
  async play(driver) {
    const played = controlsPlayed(driver);
    await driver.forEach(
      Array.from({ length: GROUP_COUNT + 1 }, (_, group) => group),
      (group) => `user ${group}`,
      async (user, group) => {
        await played(async () => {
          await driver.signIn(user, `sign in ${group}`);
          await driver.mustSucceed(user, 'exchangeToken', `before any trouble ${group}`);
        });
        if (group === GROUP_COUNT) return refuse(driver, user);
        // The user whose session asks. A new user replaces one who could not go on after a trouble.
        let asking = user;
        for (const name of troubles.filter((_, index) => index % GROUP_COUNT === group)) {
          // So that the server waits for all endless troubles of the run at the same time.
          if (ENDLESS.has(name)) await driver.passResendPause();
          await whileFaulty(driver, asking, { name }, () =>
            driver.perform(asking, 'exchangeToken', `while: ${name}`, {
              defect: `the EHR server's fault: ${name}`,
            }),
          );
          const { kind } = await driver.perform(asking, 'exchangeToken', `after: ${name}`);
          if (kind !== 'done') asking = (await newcomer(driver, name)) ?? asking;
        }
      },
    );
  },
  checks: [
    ...troubleChecks(PLACE, meetings),
    check({
      id: 'duplicate-exchange-token-handled',
      title: 'When the EHR server knows the exchange token already, the client gets another one or an error',
      requirements: ['K-failure-told'],
      judge(steps) {
        const played = steps.of(DUPLICATE);
        const sent = sentTo(played, SAVE_EXCHANGE_TOKEN);
        if (sent.length === 0) return { unclear: 'the call did not reach the EHR server', shownBy: [played] };
        const given = yielded(played, 'exchangeToken');
        const isAccepted = sent.some(
          ({ facts, fault }) =>
            facts.call?.exchangeToken === given && facts.reply?.result && fault === undefined,
        );
        return anotherOrError(played, !isAccepted);
      },
      advice: ANOTHER_OR_ERROR,
    }),
    troubleToldApart,
  ],
});

/**
 * Makes a function that plays a user's control and then waits until the controls of all users are played: a
 * trouble may break the server, and then a later control would fail. Where phones are few, users take part
 * one after another, so nobody waits.
 */
function controlsPlayed(driver: Driver): (control: () => Promise<void>) => Promise<void> {
  let left = GROUP_COUNT + 1;
  let onAllPlayed: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    onAllPlayed = resolve;
  });
  return async (control) => {
    try {
      await control();
    } finally {
      if (--left === 0) onAllPlayed();
    }
    if (!Number.isFinite(driver.adapter.phoneCount)) await driver.idleUntil(all);
  };
}

/**
 * Signs in a new user for the next trouble, where the last user could not go on. Undefined where phones are
 * few, or where the server does not serve new users either.
 */
async function newcomer(driver: Driver, name: Trouble): Promise<User | undefined> {
  const user = await driver.newcomer(`newcomer after ${name}`);
  if (!user || (await driver.trySignIn(user, `a newcomer signs in after: ${name}`)).kind !== 'done')
    return undefined;
  return (await driver.perform(user, 'exchangeToken', `a newcomer's exchange token after: ${name}`)).kind ===
    'done'
    ? user
    : undefined;
}

/** Plays all refusals with one user, and then one refusal of the token as stored already. */
async function refuse(driver: Driver, user: User): Promise<void> {
  for (const refusal of refusals) {
    await whileFaulty(driver, user, { name: 'refuse', error: errorOf(refusal) }, () =>
      driver.perform(user, 'exchangeToken', `refused: ${refusal.reason}`, {
        defect: `the EHR server refuses: ${refusal.reason}`,
      }),
    );
  }
  const once = {
    name: 'refuse',
    error: errorOf({ code: -34004, reason: 'exchange_token_already_stored' }),
  } as const;
  const end = driver.fault(user, 'exchange-token', once);
  await driver.perform(user, 'exchangeToken', DUPLICATE, {
    defect: 'the EHR server says once that the exchange token is stored already',
  });
  end();
  await driver.perform(user, 'exchangeToken', 'after all trouble');
  await driver.callEhr(user, 'authenticate', 'authenticate after all trouble');
}

/** Acts while calls to the EHR server for this user meet the fault. */
async function whileFaulty(
  driver: Driver,
  user: User,
  fault: Fault,
  act: () => Promise<unknown>,
): Promise<void> {
  const end = driver.fault(user, 'exchange-token', fault, MAX_RETRIES);
  await act();
  end();
}
