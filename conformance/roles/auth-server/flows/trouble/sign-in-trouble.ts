/**
 * The scenario `sign-in-trouble`: the kit's EHR server fails in every way while a linked user signs in. The
 * authorization server must answer with an error, or with a session that is not linked.
 */

import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import { SAVE_AUTH_INFO } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { savedAtSignIn, signedInAllTheSame } from '../signed-in.ts';
import { type Place, troubleChecks, withRefusals, withTroubles } from './in-trouble.ts';
import { tryLink, withSign } from './returning.ts';
import {
  ENDLESS,
  errorOf,
  failures,
  MAX_RETRIES,
  type SignInRefusal,
  signInRefusals,
  strangeReplies,
} from './troubles.ts';

type SignInTrouble = (typeof failures)[number] | (typeof strangeReplies)[number] | SignInRefusal['reason'];

/** Every trouble with its name in labels, and the fault that the kit injects. */
const troubles: readonly { name: SignInTrouble; fault: Fault }[] = [
  ...[...failures, ...strangeReplies].map((name) => ({ name, fault: { name } })),
  ...signInRefusals.map((refusal) => ({
    name: refusal.reason,
    fault: { name: 'refuse' as const, error: errorOf(refusal) },
  })),
];

/**
 * The number of troubles that one linked user meets, one after another. Each takes two codes, so more of them
 * would take long where a server has a long pause between codes.
 */
const TROUBLES_PER_USER = 2;
const brief = troubles.filter((trouble) => !isEndless(trouble));
const briefGroupCount = Math.ceil(brief.length / TROUBLES_PER_USER);
/** The troubles of each linked user. A user who meets one that does not end by itself meets no other. */
const GROUPS = [
  ...troubles.filter(isEndless).map((trouble) => [trouble]),
  ...Array.from({ length: briefGroupCount }, (_, group) =>
    brief.filter((_trouble, index) => index % briefGroupCount === group),
  ),
];

function isEndless({ fault }: (typeof troubles)[number]): boolean {
  return ENDLESS.has(fault.name);
}

/** The label of the sign-in without trouble, which is the control of all troubles. */
const CONTROL = 'Quin returns without trouble';

/** What the checks of this scenario have in common. */
const PLACE: Place = {
  prefix: 'sign-in',
  what: 'a linked user signs in',
  method: SAVE_AUTH_INFO,
  expected: 'an error to the client, or a session that is not called linked and can be linked again',
  advice:
    'When the EHR server has not acknowledged save_auth_info, either answer the sign-in with an error, or open a session that is not linked and say so; set a timeout on the whole call.',
  surviveAdvice:
    'Keep no state of a failed call: the next sign-in of the user, with their user_sign, sends save_auth_info as if nothing had been.',
  success: (steps, played, { id, kind }) => {
    // Ids have dashes. The reasons in labels have underscores.
    const name = kind === 'refusal' ? id.replaceAll('-', '_') : id;
    return signedInAllTheSame(steps, played, {
      reads: `get patient after: ${name}`,
      linksAnew: `link anew after: ${name}`,
    });
  },
  next: savedAtSignIn,
};

/** The labels of the steps around one trouble. */
const played = (name: SignInTrouble) => ({
  control: CONTROL,
  during: `sign in while: ${name}`,
  afterwards: `sign in after: ${name}`,
});

const meetings = [...withTroubles(played), ...withRefusals(signInRefusals, played)];

export const signInTrouble = flow({
  id: 'sign-in-trouble',
  title: 'The EHR server fails in every way while a linked user signs in',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: 2 + GROUPS.length + 2 * troubles.length,
  meetsSilence: true,
  waits: ({ resend }) => 2 * TROUBLES_PER_USER * resend,
  async play(driver) {
    // All users wait for the control: a trouble may break the server, and then a later control would fail.
    let onPlayed: (isPlayed: boolean) => void = () => undefined;
    const control = new Promise<boolean>((resolve) => {
      onPlayed = resolve;
    });
    await driver.forEach(
      [QUIN, ...GROUPS.keys()],
      (group) => (group === QUIN ? QUIN : `returner ${group}`),
      async (user, group) => {
        if (group === QUIN) return returnWithoutTrouble(driver, user, onPlayed);
        await driver.signIn(user, `sign in first ${group}`);
        await driver.link(user, `link ${group}`);
        let returning = user;
        for (const trouble of GROUPS[group] ?? []) {
          if (!(await driver.passResendPause()) || !(await driver.idleUntil(control))) return;
          const after = await meet(driver, returning, trouble);
          if (after?.kind !== 'done') returning = (await newcomer(driver, trouble.name)) ?? returning;
        }
      },
      GROUPS.length + 1,
    );
  },
  checks: troubleChecks(PLACE, meetings),
});

/** The name of the user who plays the control. */
const QUIN = 'Quin' as const;

/** Plays the control. Calls `onPlayed` in any case, with false where it could not be played. */
async function returnWithoutTrouble(
  driver: Driver,
  quin: User,
  onPlayed: (isPlayed: boolean) => void,
): Promise<void> {
  let isPlayed = false;
  try {
    await driver.signIn(quin, 'Quin signs in first');
    await driver.link(quin, 'Quin links');
    isPlayed = await driver.passResendPause();
    if (isPlayed) await driver.trySignIn(quin, CONTROL, withSign(quin));
  } finally {
    onPlayed(isPlayed);
  }
}

/**
 * Signs in and links a new user for the next trouble, where the last user could not go on. Undefined where
 * phones are few, or where the server does not link new users either.
 */
async function newcomer(driver: Driver, name: SignInTrouble): Promise<User | undefined> {
  const user = await driver.newcomer(`newcomer after ${name}`);
  if (!user || (await driver.trySignIn(user, `a newcomer signs in after: ${name}`)).kind !== 'done')
    return undefined;
  await tryLink(driver, user, `a newcomer links after: ${name}`);
  return (await driver.callEhr(user, 'getPatient', `a newcomer links after: ${name}`)).kind === 'done'
    ? user
    : undefined;
}

/**
 * Signs in during the trouble, links again if that left the user unlinked, and signs in without trouble.
 * @returns the result of the last sign-in; undefined where it was not played
 */
async function meet(
  driver: Driver,
  user: User,
  { name, fault }: { name: SignInTrouble; fault: Fault },
): Promise<StepResult | undefined> {
  const defect = `the EHR server's trouble: ${name}`;
  const end = driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  const result = await driver.trySignIn(user, `sign in while: ${name}`, { ...withSign(user), defect });
  end();
  if (result.kind === 'done') {
    const read = await driver.callEhr(user, 'getPatient', `get patient after: ${name}`, { defect });
    if (read.kind !== 'done') await tryLink(driver, user, `link anew after: ${name}`);
  }
  if (!(await driver.passResendPause())) return undefined;
  return driver.trySignIn(user, `sign in after: ${name}`, withSign(user));
}
