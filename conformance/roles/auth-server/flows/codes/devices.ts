/** A person on several devices, with several spellings of a phone, or with a phone that others tried. */
import type { User } from '../../player/driver.ts';
import { DEFAULT_CODE_LIFETIME_SECONDS } from '../../player/time/times.ts';
import { part, scenario } from '../scenario.ts';
import { HALF_LIFE_WAIT_MS, otherCode, TRY_COUNT } from './guesses.ts';

export const twoSessions = scenario({
  id: 'two-sessions',
  title:
    'One user holds sessions on two devices while strangers try the phone, logs one out, signs in again, and is deleted from the other',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  waits: ({ resend }) => 3 * resend,
  steps: {
    phone: 'sign in on the phone',
    phoneAlone: 'exchange token on the phone, alone',
    phoneAgain: 'exchange token on the phone, alone, once more',
    laptop: 'sign in on the laptop',
    phoneAfterRequest: 'exchange token on the phone after a code was requested elsewhere',
    phoneBeside: 'exchange token on the phone, beside the laptop',
    laptopBeside: 'exchange token on the laptop',
    strangerRequests: 'a stranger requests a code for the phone',
    guess: 'a stranger tries a wrong code for the phone',
    phoneAfterGuess: "exchange token on the phone after the stranger's try",
    logout: 'log out on the laptop',
    phoneAfter: 'exchange token on the phone after the logout',
    again: 'sign in on the laptop again',
    againToken: 'exchange token on the laptop again',
    delete: 'delete the user from the phone',
    afterDeletion: 'exchange token on the laptop after the deletion',
    newcomer: 'somebody else signs in for the first time',
  },
  async run(driver, steps) {
    const phone = await driver.user('Jana');
    await driver.signIn(phone, steps.phone);
    await driver.mustSucceed(phone, 'exchangeToken', steps.phoneAlone);
    await driver.perform(phone, 'exchangeToken', steps.phoneAgain);
    if (!(await driver.passResendPause())) return;
    let laptop = driver.otherDevice(phone, "Jana's laptop");
    const code = await driver.code(laptop, part(steps.laptop, 'request a code'));
    await driver.perform(phone, 'exchangeToken', steps.phoneAfterRequest);
    await driver.mustSucceed(laptop, 'confirmOtp', steps.laptop, { code });
    await driver.perform(phone, 'exchangeToken', steps.phoneBeside);
    await driver.perform(laptop, 'exchangeToken', steps.laptopBeside);
    if (driver.adapter.has('requestOtp')) {
      if (!(await driver.passResendPause())) return;
      const stranger = driver.otherDevice(phone, 'a stranger');
      const input = { code: otherCode(await driver.code(stranger, steps.strangerRequests)) };
      await driver.perform(stranger, 'confirmOtp', steps.guess, { defect: 'a guess', input });
      await driver.perform(phone, 'exchangeToken', steps.phoneAfterGuess);
    }
    if (driver.adapter.has('logout')) {
      await driver.perform(laptop, 'logout', steps.logout);
      await driver.perform(phone, 'exchangeToken', steps.phoneAfter);
      if (!(await driver.passResendPause())) return;
      laptop = driver.otherDevice(phone, "Jana's laptop again");
      await driver.signIn(laptop, steps.again);
      await driver.perform(laptop, 'exchangeToken', steps.againToken);
    }
    if (!driver.adapter.has('deleteUser')) return;
    if ((await driver.perform(phone, 'deleteUser', steps.delete)).kind !== 'done') return;
    await driver.perform(laptop, 'exchangeToken', steps.afterDeletion, {
      defect: 'the user was deleted from another device',
    });
    await driver.trySignIn(await driver.user('Newcomer'), steps.newcomer);
  },
});

export const spellings = scenario({
  id: 'spellings',
  title: 'One phone is written in several ways',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => 2 * resend,
  steps: {
    signIn: 'sign in as usual',
    requests: (spelling: Spelling) => `request a code for the phone written ${spelling}`,
    signInAs: (spelling: Spelling) => `sign in with the phone written ${spelling}`,
  },
  async run(driver, steps) {
    const lia = await driver.user('Lia');
    await driver.signIn(lia, steps.signIn);
    for (const [name, spell] of Object.entries(SPELLINGS) as [Spelling, (phone: string) => string | undefined][]) {
      const phone = spell(lia.phone);
      if (phone === undefined || !(await driver.passResendPause())) continue;
      const device: User = driver.otherDevice(lia, `Lia, ${name}`);
      const since = await driver.messagesTo(lia);
      await driver.codes.take(1);
      const asked = await driver.perform(device, 'requestOtp', steps.requests(name), { input: { phone } });
      // A server may accept one spelling only. One that takes it for another phone sends the code elsewhere.
      const code = asked.kind === 'done' ? (await driver.codes.newest(lia, since, CODE_WAIT_MS))?.code : undefined;
      if (code !== undefined)
        await driver.perform(device, 'confirmOtp', steps.signInAs(name), { input: { phone, code } });
    }
  },
});

/** A code that has not come after this time (ms) was sent to another phone. */
const CODE_WAIT_MS = 2_000;

export type Spelling = 'with a plus and blanks' | 'with a leading 8';

/** Other spellings of a phone; undefined where one does not apply. */
const SPELLINGS: Readonly<Record<Spelling, (phone: string) => string | undefined>> = {
  'with a plus and blanks': (phone) => {
    const digits = phone.replace(/\D/g, '');
    const written = `+${digits.slice(0, -10)} (${digits.slice(-10, -7)}) ${digits.slice(-7, -4)}-${digits.slice(-4)}`;
    return digits.length > 10 && written !== phone ? written : undefined;
  },
  'with a leading 8': (phone) => (/^7\d{10}$/.test(phone) ? `8${phone.slice(1)}` : undefined),
};

export const lockedPhone = scenario({
  id: 'locked-phone',
  title: 'A stranger tries many wrong codes for a phone, once or again and again, and its owner signs in later',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend, codeLifetime }) => (codeLifetime > 62 ? 0 : Math.max(resend, codeLifetime) + 2),
  steps: {
    requests: (name: Locked) => `a code for ${name}`,
    guess: (name: Locked) => `a stranger's guess at the code of ${name}`,
    drip: 'one more wrong code, while the phone may be locked',
    owner: (name: Locked) => `${name} signs in after the life of a code`,
  },
  async run(driver, steps) {
    const people: Record<Locked, User> = { Max: await driver.user('Max'), Nele: await driver.user('Nele') };
    const codes: Record<Locked, string> = { Max: '', Nele: '' };
    for (const name of ['Max', 'Nele'] as const) {
      codes[name] = await driver.code(people[name], steps.requests(name));
      const guesses = Array.from({ length: TRY_COUNT }, (_, index) => ({
        user: driver.otherDevice(people[name], `stranger ${index + 1} at the phone of ${name}`),
        step: 'confirmOtp' as const,
        label: steps.guess(name),
        options: { defect: 'a guess', input: { code: otherCode(codes[name], index + 1) } },
      }));
      await driver.atOnce(guesses);
    }
    const lifetime = (driver.adapter.otpLifetimeSeconds ?? DEFAULT_CODE_LIFETIME_SECONDS) * 1_000;
    const half = { longestWaitMs: HALF_LIFE_WAIT_MS };
    if (!(await driver.advanceTime(lifetime / 2, half))) return;
    await driver.perform(driver.otherDevice(people.Nele, 'the stranger again'), 'confirmOtp', steps.drip, {
      defect: 'a guess',
      input: { code: otherCode(codes.Nele, TRY_COUNT + 1) },
    });
    // The pause began with the code of the first half. Waits no longer: even a lock that is too long would
    // end.
    const rest = Math.max(lifetime / 2 + 1_000, driver.resendPauseMs() - lifetime / 2);
    if (!(await driver.advanceTime(rest, { ...half, slackMs: driver.resendSlackMs() }))) return;
    await driver.together(
      (['Max', 'Nele'] as const).map((name) => () => driver.trySignIn(people[name], steps.owner(name))),
    );
  },
});

/** Max's phone is tried once, Nele's again while it may be locked. */
export type Locked = 'Max' | 'Nele';
