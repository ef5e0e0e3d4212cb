/** The EHR server refuses, fails, hangs and answers nonsense, each time followed by a good attempt. */

import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, User } from '../../player/driver.ts';
import { type Label, part, scenario } from '../scenario.ts';
import {
  ENDLESS,
  errorOf,
  type Failure,
  failures,
  MAX_RETRIES,
  type Refusal,
  refusals,
  type StrangeReply,
  strangeReplies,
} from './troubles.ts';

type Trouble = Failure | StrangeReply;
const troubles: readonly Trouble[] = [...failures, ...strangeReplies];

export const exchangeTokenTrouble = scenario({
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: 7,
  meetsSilence: true,
  waits: ({ resend }) => resend,
  steps: {
    signIn: (group: number) => `sign in ${group}`,
    control: (group: number) => `before any trouble ${group}`,
    during: (fault: Trouble) => `while: ${fault}`,
    afterwards: (fault: Trouble) => `after: ${fault}`,
    newcomer: (fault: Trouble) => `a newcomer signs in after: ${fault}`,
    newcomersToken: (fault: Trouble) => `a newcomer's exchange token after: ${fault}`,
    refused: (reason: Refusal['reason']) => `refused: ${reason}`,
    duplicate: 'duplicate exchange token',
    last: 'after all trouble',
    authenticate: 'authenticate after all trouble',
  },
  async run(driver, steps) {
    const played = controlsPlayed(driver);
    await driver.forEach(
      Array.from({ length: GROUP_COUNT + 1 }, (_, group) => group),
      (group) => `user ${group}`,
      async (user, group) => {
        await played(async () => {
          await driver.signIn(user, steps.signIn(group));
          await driver.mustSucceed(user, 'exchangeToken', steps.control(group));
        });
        if (group === GROUP_COUNT) return refuse(driver, user, steps);
        let asking = user;
        for (const name of troubles.filter((_, index) => index % GROUP_COUNT === group)) {
          if (ENDLESS.has(name)) await driver.passResendPause();
          await whileFaulty(driver, asking, { name }, () =>
            driver.perform(asking, 'exchangeToken', steps.during(name), { defect: `the EHR server's fault: ${name}` }),
          );
          const { kind } = await driver.perform(asking, 'exchangeToken', steps.afterwards(name));
          if (kind !== 'done') asking = (await newcomer(driver, name)) ?? asking;
        }
      },
    );
  },
});

/** The number of users who share the faults; one more meets the refusals. */
const GROUP_COUNT = 6;

/** The user who met a fault, and whose control applies. */
export const groupOf = (name: Trouble): number => troubles.indexOf(name) % GROUP_COUNT;
export const REFUSED_GROUP = GROUP_COUNT;

/**
 * Makes a function that plays one control and then waits for those of all users: what a trouble breaks may
 * spoil a later control. Where phones are few, users come one after another and nobody waits.
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
 * A user for the next trouble where the last one did not recover; undefined where the server serves nobody
 * any more.
 */
async function newcomer(driver: Driver, name: Trouble): Promise<User | undefined> {
  const { steps } = exchangeTokenTrouble;
  const user = await driver.newcomer(`newcomer after ${name}`);
  if (!user || (await driver.trySignIn(user, steps.newcomer(name))).kind !== 'done') return undefined;
  return (await driver.perform(user, 'exchangeToken', steps.newcomersToken(name))).kind === 'done' ? user : undefined;
}

async function refuse(driver: Driver, user: User, steps: typeof exchangeTokenTrouble.steps): Promise<void> {
  for (const refusal of refusals) {
    await whileFaulty(driver, user, { name: 'refuse', error: errorOf(refusal) }, () =>
      driver.perform(user, 'exchangeToken', steps.refused(refusal.reason), {
        defect: `the EHR server refuses: ${refusal.reason}`,
      }),
    );
  }
  const once = { name: 'refuse', error: errorOf({ code: -34004, reason: 'exchange_token_already_stored' }) } as const;
  const end = driver.fault(user, 'exchange-token', once);
  await driver.perform(user, 'exchangeToken', steps.duplicate, {
    defect: 'the EHR server says once that the exchange token is stored already',
  });
  end();
  await driver.perform(user, 'exchangeToken', steps.last);
  await driver.callEhr(user, 'authenticate', steps.authenticate);
}

async function whileFaulty(driver: Driver, user: User, fault: Fault, act: () => Promise<unknown>): Promise<void> {
  const end = driver.fault(user, 'exchange-token', fault, MAX_RETRIES);
  await act();
  end();
}

export const saveTrouble = scenario({
  id: 'save-trouble',
  title: 'The EHR server fails in every way while the link is being reported',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  people: 2,
  codes: troubles.length + 2,
  meetsSilence: true,
  waits: ({ resend }) => resend,
  steps: {
    controlSignIn: 'Rae signs in',
    control: 'without trouble',
    signIn: (fault: Trouble) => `sign in for ${fault}`,
    token: (fault: Trouble) => `exchange token for ${fault}`,
    authenticate: (fault: Trouble) => `authenticate for ${fault}`,
    during: (fault: Trouble) => `while: ${fault}`,
    afterwards: (fault: Trouble) => `after: ${fault}`,
    refusedSignIn: 'Sol signs in',
    refusedToken: 'Sol: exchange token',
    refusedAuthenticate: 'Sol: authenticate',
    refused: (reason: Refusal['reason']) => `refused: ${reason}`,
    last: 'after all trouble',
  },
  async run(driver, steps) {
    const control = await driver.user('Rae');
    await driver.signIn(control, steps.controlSignIn);
    await driver.link(control, steps.control);
    await driver.forEach(
      [SOL, ...troubles],
      (name) => (name === SOL ? SOL : `reporter ${name}`),
      async (user, name) => {
        if (name === SOL) return reportWhileRefused(driver, user);
        await driver.signIn(user, steps.signIn(name));
        await driver.mustSucceed(user, 'exchangeToken', steps.token(name));
        await driver.mustCallEhr(user, 'authenticate', steps.authenticate(name));
        if (ENDLESS.has(name)) await driver.passResendPause();
        const end = driver.fault(user, 'auth-info', { name }, MAX_RETRIES);
        await driver.perform(user, 'reportLink', steps.during(name), { defect: `the EHR server's fault: ${name}` });
        end();
        await driver.perform(user, 'reportLink', steps.afterwards(name));
      },
    );
  },
});

/** The user who meets the refusals, one after another. */
const SOL = 'Sol' as const;

async function reportWhileRefused(driver: Driver, sol: User): Promise<void> {
  const { steps } = saveTrouble;
  await driver.signIn(sol, steps.refusedSignIn);
  await driver.mustSucceed(sol, 'exchangeToken', steps.refusedToken);
  await driver.mustCallEhr(sol, 'authenticate', steps.refusedAuthenticate);
  for (const refusal of refusals.filter(({ code }) => code !== -34003)) {
    const end = driver.fault(sol, 'auth-info', { name: 'refuse', error: errorOf(refusal) }, MAX_RETRIES);
    await driver.perform(sol, 'reportLink', steps.refused(refusal.reason), {
      defect: `the EHR server refuses: ${refusal.reason}`,
    });
    end();
  }
  await driver.perform(sol, 'reportLink', steps.last);
}

/** The control of {@link saveTrouble}. */
export const savedWithoutTrouble: Label = part(saveTrouble.steps.control, 'report');
