/** Linked users sign in while the EHR server fails, or after they disconnected there. */
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, User } from '../../player/driver.ts';
import { type Label, part, scenario } from '../scenario.ts';
import { errorOf, failures, MAX_RETRIES, type SignInRefusal, signInRefusals, strangeReplies } from './troubles.ts';

export type SignInTrouble = (typeof failures)[number] | (typeof strangeReplies)[number] | SignInRefusal['reason'];

const troubles: readonly { name: SignInTrouble; fault: Fault }[] = [
  ...[...failures, ...strangeReplies].map((name) => ({ name, fault: { name } })),
  ...signInRefusals.map((refusal) => ({
    name: refusal.reason,
    fault: { name: 'refuse' as const, error: errorOf(refusal) },
  })),
];

/**
 * The number of troubles that one linked user meets in turn. Each takes two codes, and more would take long
 * where codes are rare.
 */
const TROUBLES_PER_USER = 2;
const USER_COUNT = Math.ceil(troubles.length / TROUBLES_PER_USER);

export const signInTrouble = scenario({
  id: 'sign-in-trouble',
  title: 'The EHR server fails in every way while a linked user signs in',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: 2 + USER_COUNT * (1 + 2 * TROUBLES_PER_USER),
  meetsSilence: true,
  waits: ({ resend }) => 2 * TROUBLES_PER_USER * resend,
  steps: {
    controlFirst: 'Quin signs in first',
    controlLink: 'Quin links',
    control: 'Quin returns without trouble',
    first: (group: number) => `sign in first ${group}`,
    link: (group: number) => `link ${group}`,
    during: (trouble: SignInTrouble) => `sign in while: ${trouble}`,
    reads: (trouble: SignInTrouble) => `get patient after: ${trouble}`,
    linksAnew: (trouble: SignInTrouble) => `link anew after: ${trouble}`,
    afterwards: (trouble: SignInTrouble) => `sign in after: ${trouble}`,
    newcomer: (trouble: SignInTrouble) => `a newcomer signs in after: ${trouble}`,
    newcomerLinks: (trouble: SignInTrouble) => `a newcomer links after: ${trouble}`,
  },
  async run(driver, steps) {
    // The control runs before all trouble, because its effects may spoil later steps.
    let onPlayed: (isPlayed: boolean) => void = () => undefined;
    const control = new Promise<boolean>((resolve) => {
      onPlayed = resolve;
    });
    await driver.forEach(
      [QUIN, ...Array.from({ length: USER_COUNT }, (_, group) => group)],
      (group) => (group === QUIN ? QUIN : `returner ${group}`),
      async (user, group) => {
        if (group === QUIN) return returnWithoutTrouble(driver, user, onPlayed);
        await driver.signIn(user, steps.first(group));
        await driver.link(user, steps.link(group));
        let returning = user;
        for (const trouble of troubles.filter((_, index) => index % USER_COUNT === group)) {
          if (!(await driver.passResendPause()) || !(await driver.idleUntil(control))) return;
          const after = await meet(driver, returning, trouble);
          if (after?.kind !== 'done') returning = (await newcomer(driver, trouble.name)) ?? returning;
        }
      },
      USER_COUNT + 1,
    );
  },
});

/** The user of the control, who returns before the others meet any trouble. */
const QUIN = 'Quin' as const;

async function returnWithoutTrouble(driver: Driver, quin: User, onPlayed: (isPlayed: boolean) => void): Promise<void> {
  const { steps } = signInTrouble;
  let isPlayed = false;
  try {
    await driver.signIn(quin, steps.controlFirst);
    await driver.link(quin, steps.controlLink);
    isPlayed = await driver.passResendPause();
    if (isPlayed) await driver.trySignIn(quin, steps.control, withSign(quin));
  } finally {
    onPlayed(isPlayed);
  }
}

const withSign = ({ userSign }: User) => ({ input: userSign === undefined ? {} : { userSign } });

/**
 * A linked user for the next trouble where the last one did not recover; undefined where the server links
 * nobody any more.
 */
async function newcomer(driver: Driver, name: SignInTrouble): Promise<User | undefined> {
  const { steps } = signInTrouble;
  const user = await driver.newcomer(`newcomer after ${name}`);
  if (!user || (await driver.trySignIn(user, steps.newcomer(name))).kind !== 'done') return undefined;
  await tryLink(driver, user, steps.newcomerLinks(name));
  return (await driver.callEhr(user, 'getPatient', steps.newcomerLinks(name))).kind === 'done' ? user : undefined;
}

/**
 * Signs in during the trouble, links anew if that left the user unlinked, and signs in without trouble.
 * @returns the result of the last sign-in; undefined where it was not played
 */
async function meet(
  driver: Driver,
  user: User,
  { name, fault }: { name: SignInTrouble; fault: Fault },
): Promise<StepResult | undefined> {
  const { steps } = signInTrouble;
  const defect = `the EHR server's trouble: ${name}`;
  const end = driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  const result = await driver.trySignIn(user, steps.during(name), { ...withSign(user), defect });
  end();
  if (result.kind === 'done') {
    const read = await driver.callEhr(user, 'getPatient', steps.reads(name), { defect });
    if (read.kind !== 'done') await tryLink(driver, user, steps.linksAnew(name));
  }
  if (!(await driver.passResendPause())) return undefined;
  return driver.trySignIn(user, steps.afterwards(name), withSign(user));
}

/** As {@link Driver.link}, but continues when it fails. */
async function tryLink(driver: Driver, user: User, label: Label): Promise<void> {
  const asked = await driver.perform(user, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind !== 'done') return;
  const linked = await driver.callEhr(user, 'authenticate', part(label, 'authenticate'));
  if (linked.kind === 'done' && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', part(label, 'report'));
}

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
