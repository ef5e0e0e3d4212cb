/** Simultaneous requests of sessions: exchange tokens, reports, sign-ins, endings, and a hanging call. */
import type { User } from '../../player/driver.ts';
import { whileAllHeld, whileHeld } from '../../player/time/overlap.ts';
import { scenario } from '../scenario.ts';
import { LATE_MS } from '../trouble/troubles.ts';

/** The number of exchange tokens that one user requests at the same moment. */
const TOKEN_COUNT = 3;

export const oneSessionAtOnce = scenario({
  id: 'one-session-at-once',
  title: 'Exchange tokens are asked for at the same moment, and a link is reported twice at once',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  steps: {
    signIn: (name: 'Ada' | 'Ben') => `${name} signs in`,
    control: (name: 'Ada' | 'Ben') => `${name} asks for an exchange token`,
    token: (name: 'Ada' | 'Ben') => `${name} asks for exchange tokens at once`,
    authenticate: 'Ada authenticates',
    report: 'Ada reports the link twice at once',
    after: 'Ada reports the link again',
  },
  async run(driver, steps) {
    const [ada, ben] = [await driver.user('Ada'), await driver.user('Ben')];
    const both = [
      ['Ada', ada],
      ['Ben', ben],
    ] as const;
    for (const [name, user] of both) {
      await driver.signIn(user, steps.signIn(name));
      await driver.mustSucceed(user, 'exchangeToken', steps.control(name));
    }
    await driver.atOnce(
      Array.from({ length: TOKEN_COUNT }, () =>
        both.map(([name, user]) => ({ user, step: 'exchangeToken' as const, label: steps.token(name) })),
      ).flat(),
    );
    if (!driver.adapter.has('reportLink')) return;
    await driver.mustCallEhr(ada, 'authenticate', steps.authenticate);
    if (ada.userSign === undefined) return;
    await driver.atOnce([1, 2].map(() => ({ user: ada, step: 'reportLink', label: steps.report })));
    await driver.perform(ada, 'reportLink', steps.after);
  },
});

export const signInsAtOnce = scenario({
  id: 'sign-ins-at-once',
  title: 'Two linked users return at the same moment',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  waits: ({ resend }) => resend,
  steps: {
    signIn: (name: 'Cleo' | 'Dora') => `${name} signs in`,
    link: (name: 'Cleo' | 'Dora') => `${name} links`,
    requests: (name: 'Cleo' | 'Dora') => `${name} requests a code`,
    returns: (name: 'Cleo' | 'Dora') => `${name} returns at the same moment as the other`,
  },
  async run(driver, steps) {
    const names = ['Cleo', 'Dora'] as const;
    const users = [await driver.user('Cleo'), await driver.user('Dora')];
    for (const [index, name] of names.entries()) {
      await driver.signIn(users[index] as User, steps.signIn(name));
      await driver.link(users[index] as User, steps.link(name));
    }
    if (!(await driver.passResendPause())) return;
    const attempts = [];
    for (const [index, name] of names.entries()) {
      const { userSign = '', ...user } = users[index] as User;
      const device = driver.otherDevice(user, `${name}'s other device`);
      const code = await driver.code(device, steps.requests(name));
      const options = { input: { code, userSign } };
      attempts.push({ user: device, step: 'confirmOtp' as const, label: steps.returns(name), options });
    }
    await driver.atOnce(attempts);
  },
});

export const logoutMeanwhile = scenario({
  id: 'logout-meanwhile',
  title: 'A session is logged out while its request for an exchange token is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  steps: {
    signIn: 'sign in',
    control: 'exchange token before the logout',
    token: 'exchange token during the logout',
    logout: 'log out meanwhile',
  },
  async run(driver, steps) {
    const fen = await driver.user('Fen');
    await driver.signIn(fen, steps.signIn);
    await driver.mustSucceed(fen, 'exchangeToken', steps.control);
    await whileHeld(
      driver,
      {
        user: fen,
        step: 'exchangeToken',
        label: steps.token,
        options: { defect: 'the session is logged out meanwhile' },
      },
      { method: 'exchange-token', name: 'late', delay: LATE_MS },
      () => driver.perform(fen, 'logout', steps.logout),
    );
  },
});

export const deletionMeanwhile = scenario({
  id: 'deletion-meanwhile',
  title: 'A user is deleted while the report of the link is at the EHR server, and signs in anew',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink', 'deleteUser'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'sign in',
    control: 'exchange token before the deletion',
    authenticate: 'authenticate',
    report: 'report during the deletion',
    delete: 'delete meanwhile',
    after: 'exchange token after both',
    anew: 'sign in anew',
  },
  async run(driver, steps) {
    const gus = await driver.user('Gus');
    await driver.signIn(gus, steps.signIn);
    await driver.mustSucceed(gus, 'exchangeToken', steps.control);
    await driver.mustCallEhr(gus, 'authenticate', steps.authenticate);
    await whileHeld(
      driver,
      { user: gus, step: 'reportLink', label: steps.report, options: { defect: 'the user is deleted meanwhile' } },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(gus, 'deleteUser', steps.delete),
    );
    await driver.perform(gus, 'exchangeToken', steps.after, { defect: 'the user was deleted' });
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(driver.otherDevice(gus, 'Gus anew'), steps.anew);
  },
});

/** The number of further hanging calls: a server with few workers then serves nobody else. */
const MORE_HANGING_COUNT = 3;

export const oneCallHangs = scenario({
  id: 'one-call-hangs',
  title: 'The EHR server does not answer calls for four users, and others go on meanwhile',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 5,
  steps: {
    signIn: (name: 'Hanna' | 'Igor') => `${name} signs in`,
    othersSignIn: 'others sign in',
    control: 'Igor asks for an exchange token before',
    hangs: "the call for Hanna's exchange token hangs",
    meanwhile: 'Igor asks for an exchange token meanwhile',
  },
  async run(driver, steps) {
    const [hanna, igor] = [await driver.user('Hanna'), await driver.user('Igor')];
    await driver.signIn(hanna, steps.signIn('Hanna'));
    await driver.signIn(igor, steps.signIn('Igor'));
    await driver.mustSucceed(igor, 'exchangeToken', steps.control);
    // Where phones are few, one call hangs alone.
    const others: User[] = [];
    while (others.length < Math.min(MORE_HANGING_COUNT, driver.freePeople - 2))
      others.push(await driver.user(`one more ${others.length + 1}`));
    await driver.together(others.map((user) => () => driver.signIn(user, steps.othersSignIn)));
    await whileAllHeld(
      driver,
      [hanna, ...others].map((user) => ({
        ...{ user, step: 'exchangeToken' as const, label: steps.hangs },
        options: { defect: 'the EHR server does not answer' },
      })),
      { method: 'exchange-token', name: 'hang' },
      () => driver.perform(igor, 'exchangeToken', steps.meanwhile),
    );
  },
});
