/** What a server keeps of a link: at the next return, over a restart, after a foreign signature. */
import type { Driver, User } from '../../player/driver.ts';
import { otherCode, TRY_COUNT } from '../codes/guesses.ts';
import { type Label, part, scenario } from '../scenario.ts';

export const keptAtLink = scenario({
  id: 'kept-at-link',
  title: 'A user returns straight after the link, without a signature',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Ivy signs in',
    link: 'Ivy links',
    returns: 'Ivy returns without a signature',
    reads: 'Ivy reads the record',
  },
  async run(driver, steps) {
    const ivy = await driver.user('Ivy');
    await driver.signIn(ivy, steps.signIn);
    await driver.link(ivy, steps.link);
    if (!(await driver.passResendPause())) return;
    const { kind } = await driver.trySignIn(ivy, steps.returns);
    if (kind === 'done') await driver.callEhr(ivy, 'getPatient', steps.reads);
  },
});

export const keptOverRestart = scenario({
  id: 'kept-over-restart',
  title: 'The server is stopped and started again between a link, a logout, a deletion, and what comes after them',
  needs: ['confirmOtp', 'exchangeToken'],
  when: 'last',
  people: 3,
  codes: 8,
  waits: ({ resend }) => 2 * resend,
  steps: {
    jonFirst: 'Jon signs in first',
    jonLinks: 'Jon links',
    kayFirst: 'Kay signs in first',
    kayLinks: 'Kay links',
    jonBefore: 'Jon asks for an exchange token before the restart',
    otherSignsIn: 'Jon signs in on another device',
    otherLogsOut: 'Jon logs out there',
    nanSignsIn: 'Nan signs in',
    nanLinks: 'Nan links',
    nanDisconnects: 'Nan disconnects at the EHR server',
    nanDeletes: 'Nan is deleted',
    piaRequests: 'Pia requests a code',
    piaGuess: 'guess at the code of Pia',
    restarted: 'the server is started again',
    piaAfter: 'right code of Pia after the restart',
    jonAfter: 'Jon asks for an exchange token after the restart',
    kayAfter: 'Kay asks for an exchange token after the restart',
    otherAfter: 'Jon asks there for an exchange token after the restart',
    nanAfter: 'Nan asks for an exchange token after the restart',
    usedCode: 'the code that Kay has used is tried again after the restart',
    nanAnew: 'Nan signs in anew after the restart',
    jonReturns: 'Jon returns without a signature',
    kayReturns: 'Kay returns with her signature',
  },
  async run(driver, steps) {
    if (!driver.canRestart) return;
    // The phones of the others are needed afterwards, and wrong codes may lock one for a while.
    const isPiaFree = driver.freePeople > keptOverRestart.people;
    const [jon, kay] = [await driver.user('Jon'), await driver.user('Kay')];
    await driver.signIn(jon, steps.jonFirst);
    await driver.link(jon, steps.jonLinks);
    await age(driver, jon, steps);
    const { otherDevice, nan } = await end(driver, jon, steps);
    const code = await driver.code(kay, part(steps.kayFirst, 'request a code'));
    await driver.mustSucceed(kay, 'confirmOtp', steps.kayFirst, { code });
    await driver.link(kay, steps.kayLinks);
    if (!(await driver.passResendPause())) return;
    const pia = isPiaFree ? await driver.user('Pia') : undefined;
    const pias = pia ? await guessAt(driver, pia, steps) : '';
    if (!(await driver.restartServer())) return;
    driver.observe(steps.restarted, { restarted: true });
    if (pia && pias !== '')
      await driver.perform(pia, 'confirmOtp', steps.piaAfter, {
        defect: 'too many wrong codes came before it',
        input: { code: pias },
      });
    await driver.perform({ ...jon }, 'exchangeToken', steps.jonAfter);
    await driver.perform({ ...kay }, 'exchangeToken', steps.kayAfter);
    await driver.perform(driver.otherDevice(kay, "Kay's other device"), 'confirmOtp', steps.usedCode, {
      defect: 'the code was used before the restart',
      input: { code },
    });
    if (otherDevice)
      await driver.perform(otherDevice, 'exchangeToken', steps.otherAfter, {
        defect: 'the session was logged out before the restart',
      });
    if (nan) {
      await driver.perform(nan, 'exchangeToken', steps.nanAfter, { defect: 'the user was deleted before the restart' });
      await driver.trySignIn(nan, steps.nanAnew);
    }
    await driver.trySignIn(jon, steps.jonReturns);
    await driver.trySignIn(kay, steps.kayReturns, { input: { userSign: kay.userSign as string } });
  },
});

/** Tries many wrong codes. Returns the right one; empty where no code is requested from the server. */
async function guessAt(driver: Driver, pia: User, steps: typeof keptOverRestart.steps): Promise<string> {
  const code = await driver.code(pia, steps.piaRequests);
  if (code === '') return code;
  for (let guess = 1; guess <= TRY_COUNT; guess++)
    await driver.perform(
      driver.otherDevice(pia, `stranger ${guess} at the phone of Pia`),
      'confirmOtp',
      steps.piaGuess,
      {
        defect: 'a guess',
        input: { code: otherCode(code, guess) },
      },
    );
  return code;
}

/** Logs out on another device and deletes the user, where the server has these steps. */
async function end(
  driver: Driver,
  jon: User,
  steps: typeof keptOverRestart.steps,
): Promise<{ otherDevice?: User; nan?: User }> {
  const ended: { otherDevice?: User; nan?: User } = {};
  if (driver.adapter.has('logout') && (await driver.passResendPause())) {
    ended.otherDevice = driver.otherDevice(jon, "Jon's other device");
    await driver.signIn(ended.otherDevice, steps.otherSignsIn);
    await driver.mustSucceed(ended.otherDevice, 'logout', steps.otherLogsOut);
  }
  if (driver.adapter.has('deleteUser')) {
    ended.nan = await driver.user('Nan');
    await driver.signIn(ended.nan, steps.nanSignsIn);
    await driver.link(ended.nan, steps.nanLinks);
    await driver.mustCallEhr(ended.nan, 'removeAuthentication', steps.nanDisconnects);
    await driver.mustSucceed(ended.nan, 'deleteUser', steps.nanDeletes);
  }
  return ended;
}

/** Lets part of Jon's session pass, so that it differs from a new one. */
async function age(driver: Driver, jon: User, steps: typeof keptOverRestart.steps): Promise<void> {
  const minutes = Math.min(AGE_MINUTES, Math.floor(Number(jon.ttl ?? 0) / 2));
  if (!driver.canAdvanceTime || !(minutes > 2) || !(await driver.advanceTime(minutes * 60_000))) return;
  await driver.perform(jon, 'exchangeToken', steps.jonBefore);
}

/** Jon's session is this many minutes older than Kay's. */
const AGE_MINUTES = 10;

export const foreignSign = scenario({
  id: 'foreign-sign',
  title: "A user reports a link with another user's signature, and returns without one",
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  people: 2,
  waits: ({ resend }) => resend,
  steps: {
    halSignsIn: 'Hal signs in',
    halLinks: 'Hal links',
    gilSignsIn: 'Gil signs in',
    gilToken: 'Gil: exchange token',
    gilAuthenticates: 'Gil: authenticate',
    foreign: "Gil reports Hal's signature",
    returns: 'Gil returns without a signature',
  },
  async run(driver, steps) {
    const [hal, gil] = [await driver.user('Hal'), await driver.user('Gil')];
    await driver.together([
      () => signInAndLink(driver, hal, steps.halSignsIn, steps.halLinks),
      () => driver.signIn(gil, steps.gilSignsIn),
    ]);
    await driver.mustSucceed(gil, 'exchangeToken', steps.gilToken);
    await driver.mustCallEhr(gil, 'authenticate', steps.gilAuthenticates);
    await driver.perform(gil, 'reportLink', steps.foreign, {
      defect: 'the signature is of another user',
      input: { userSign: hal.userSign as string },
    });
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(gil, steps.returns);
  },
});

async function signInAndLink(driver: Driver, user: User, signIn: Label, link: Label): Promise<void> {
  await driver.signIn(user, signIn);
  await driver.link(user, link);
}
