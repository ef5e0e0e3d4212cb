/** Missing, foreign or ended sessions, and users without a correspondence entry. */
import type { Driver } from '../../player/driver.ts';
import { scenario } from '../scenario.ts';

export const wrongSessions = scenario({
  id: 'wrong-sessions',
  title: 'Exchange tokens are asked for without a session, with an invented one, and with the parts of two',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  steps: {
    kim: 'Kim signs in',
    lea: 'Lea signs in',
    right: 'with the right session',
    invented: 'with an invented token',
    inventedAlone: 'with an invented token and no user',
    changed: 'with one character of the token changed',
    lastChanged: 'with the last character of the token changed',
    cut: 'with half of the token',
    otherCase: 'with upper and lower case of the token exchanged',
    insideText: 'with the token between two more characters',
    mixed: "with another user's token",
    none: 'without a session',
    noToken: 'without the token and what carries it',
    rightAgain: 'with the right session again',
  },
  async run(driver, steps) {
    const [kim, lea] = [await driver.user('Kim'), await driver.user('Lea')];
    await driver.signIn(kim, steps.kim);
    await driver.signIn(lea, steps.lea);
    await driver.mustSucceed(kim, 'exchangeToken', steps.right);
    const { user: namesUser, kept } = driver.whoCalls('exchangeToken');
    const defect = 'the token was never given out';
    const invented = driver.spoiltSession(kim, 'invented');
    await driver.perform({ ...kim }, 'exchangeToken', steps.invented, { defect, input: invented });
    if (namesUser)
      await driver.perform({ ...kim }, 'exchangeToken', steps.inventedAlone, {
        defect,
        input: { ...invented, user: '' },
      });
    for (const [how, label] of [
      ['changed', steps.changed],
      ['last changed', steps.lastChanged],
      ['cut', steps.cut],
      ['other case', steps.otherCase],
      ['inside a text', steps.insideText],
    ] as const)
      await driver.perform({ ...kim }, 'exchangeToken', label, { defect, input: driver.spoiltSession(kim, how) });
    if (namesUser) {
      driver.observe(steps.mixed, { shownByKeptValue: kept });
      await driver.perform({ ...kim }, 'exchangeToken', steps.mixed, {
        defect: 'user and token belong to two sessions',
        input: { token: lea.token as string },
      });
    } else {
      driver.note(
        'A client of this server names no user beside its token, so the parts of two sessions cannot be mixed.',
      );
    }
    await driver.perform({ ...kim }, 'exchangeToken', steps.none, {
      defect: 'there is no session at all',
      input: { withoutSession: true },
    });
    await driver.perform({ ...kim }, 'exchangeToken', steps.noToken, {
      defect: 'there is no token',
      input: { withoutToken: true },
    });
    await driver.mustSucceed(kim, 'exchangeToken', steps.rightAgain);
  },
});

export const logout = scenario({
  id: 'logout',
  title: 'A linked user logs out, the EHR server first, the session is tried afterwards, and the user returns',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'sign in',
    link: 'link',
    before: 'before the logout',
    ehrFirst: 'log out at the EHR server',
    logout: 'log out',
    carried: 'exchange token with what the answer to the logout carries',
    inventedInstead: 'exchange token with an invented value in its place',
    after: 'after the logout',
    report: 'report after the logout',
    returns: 'return after the logout, without a signature',
  },
  async run(driver, steps) {
    const mia = await driver.user('Mia');
    await driver.signIn(mia, steps.signIn);
    await driver.link(mia, steps.link);
    await driver.mustSucceed(mia, 'exchangeToken', steps.before);
    await driver.mustCallEhr(mia, 'removeAuthInfo', steps.ehrFirst);
    await driver.mustSucceed(mia, 'logout', steps.logout);
    await driver.tryCarried(mia, 'the value came with the answer to the logout', steps);
    const defect = 'the session was logged out';
    await driver.perform(mia, 'exchangeToken', steps.after, { defect });
    if (driver.adapter.has('reportLink')) await driver.perform(mia, 'reportLink', steps.report, { defect });
    if (await driver.passResendPause()) await driver.trySignIn({ ...mia }, steps.returns);
  },
});

export const deletion = scenario({
  id: 'deletion',
  title: 'A linked user is deleted, the EHR server disconnected first, and signs in anew; another linked user returns',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  people: 2,
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'sign in',
    link: 'link',
    before: 'before the deletion',
    ehrFirst: 'disconnect at the EHR server',
    delete: 'delete',
    after: 'after the deletion',
    anew: 'sign in anew',
    linkAnew: 'link anew',
    odaSignsIn: 'Oda signs in',
    odaLinks: 'Oda links',
    odaReturns: 'Oda returns after the deletion of Ned, without a signature',
  },
  async run(driver, steps) {
    const oda = await driver.user('Oda');
    await driver.signIn(oda, steps.odaSignsIn);
    await driver.link(oda, steps.odaLinks);
    const ned = await driver.user('Ned');
    await driver.signIn(ned, steps.signIn);
    await driver.link(ned, steps.link);
    await driver.mustSucceed(ned, 'exchangeToken', steps.before);
    await driver.mustCallEhr(ned, 'removeAuthentication', steps.ehrFirst);
    await driver.mustSucceed(ned, 'deleteUser', steps.delete);
    await driver.perform(ned, 'exchangeToken', steps.after, { defect: 'the user was deleted' });
    await driver.passResendPause();
    await driver.trySignIn(oda, steps.odaReturns);
    await driver.signIn(ned, steps.anew);
    await driver.link(ned, steps.linkAnew);
  },
});

export const correspondence = scenario({
  id: 'correspondence',
  title: 'A user without an entry in the correspondence table reports a link, and returns',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  waits: ({ resend }) => resend,
  steps: {
    olaSignsIn: 'Ola signs in',
    olaLinks: 'Ola links',
    olaReturns: 'Ola returns with user_sign',
    pipSignsIn: 'Pip signs in',
    removed: 'the entry is removed',
    token: 'Pip: exchange token',
    authenticate: 'Pip: authenticate',
    report: 'report without an entry',
    returns: 'return without an entry',
    returnsUnrecorded: 'return without an entry, after the report was refused',
    rexSignsIn: 'Rex signs in',
    rexToken: 'Rex: exchange token',
    rexAuthenticates: 'Rex: authenticate',
    rexRemoved: 'the entry of Rex is removed',
    rexReports: 'report after the entry was removed',
    rexReturns: 'return after the entry was removed',
  },
  async run(driver, steps) {
    const ola = await driver.user('Ola');
    await driver.signIn(ola, steps.olaSignsIn);
    await driver.link(ola, steps.olaLinks);
    if (driver.adapter.has('removeCorrespondence') && driver.freePeople >= MIN_PEOPLE)
      await removeAfterLink(driver, steps);
    const phone = driver.adapter.phoneWithoutCorrespondence;
    if (phone === undefined && !driver.adapter.has('removeCorrespondence')) return;
    const pip = phone === undefined ? await driver.user('Pip') : await driver.userAt('Pip', phone);
    await driver.signIn(pip, steps.pipSignsIn);
    if (phone === undefined) await driver.mustSucceed(pip, 'removeCorrespondence', steps.removed);
    await driver.mustSucceed(pip, 'exchangeToken', steps.token);
    await driver.mustCallEhr(pip, 'authenticate', steps.authenticate);
    const defect = 'the user has no entry in the correspondence table';
    if (driver.adapter.has('reportLink')) {
      await driver.perform(pip, 'reportLink', steps.report, { defect });
      if (!(await driver.passResendPause())) return;
      await driver.signIn(ola, steps.olaReturns, { userSign: ola.userSign as string });
      await driver.trySignIn(pip, steps.returnsUnrecorded, { defect, input: { userSign: pip.userSign as string } });
    } else if (await driver.passResendPause()) {
      await driver.signIn(ola, steps.olaReturns, { userSign: ola.userSign as string });
      await driver.trySignIn(pip, steps.returns, { defect, input: { userSign: pip.userSign as string } });
    }
  },
});

/** A phone whose entry is removed is lost to the run, so the run must have at least this many phones. */
const MIN_PEOPLE = 10;

/** Removes an entry after the sign-in, before the report, or before the return where nothing is reported. */
async function removeAfterLink(driver: Driver, steps: typeof correspondence.steps): Promise<void> {
  const rex = await driver.user('Rex');
  await driver.signIn(rex, steps.rexSignsIn);
  await driver.mustSucceed(rex, 'exchangeToken', steps.rexToken);
  await driver.mustCallEhr(rex, 'authenticate', steps.rexAuthenticates);
  await driver.mustSucceed(rex, 'removeCorrespondence', steps.rexRemoved);
  const defect = 'the entry in the correspondence table was removed';
  if (driver.adapter.has('reportLink')) await driver.perform(rex, 'reportLink', steps.rexReports, { defect });
  else if (await driver.passResendPause())
    await driver.trySignIn(rex, steps.rexReturns, { defect, input: { userSign: rex.userSign as string } });
}
