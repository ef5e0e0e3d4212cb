/** Sessions that are missing, foreign or ended, and users whom the correspondence table does not know. */
import type { Scenario } from './scenario.ts';

export const wrongSessions: Scenario = {
  id: 'wrong-sessions',
  title: 'Exchange tokens are asked for without a session, with an invented one, and with the parts of two',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const [kim, lea] = [stage.actor('Kim'), stage.actor('Lea')];
    await stage.signIn(kim, 'Kim signs in');
    await stage.signIn(lea, 'Lea signs in');
    const ask = (label: string, defect: string, input: Record<string, string>) =>
      stage.perform({ ...kim }, 'exchangeToken', { label, defect }, input);
    await stage.must(kim, 'exchangeToken', { label: 'with the right session' });
    await ask('with an invented token', 'the token was never given out', { token: stage.inventedToken() });
    if (stage.namesUser) {
      await ask("with another user's token", 'user and token belong to two sessions', { token: lea.token as string });
    } else {
      stage.note(
        'A client of this server names no user beside its token, so the parts of two sessions cannot be mixed.',
      );
    }
    await ask('without a session', 'there is no session at all', { user: '', token: '' });
    await stage.must(kim, 'exchangeToken', { label: 'with the right session again' });
  },
};

export const logout: Scenario = {
  id: 'logout',
  title: 'A linked user logs out, the EHR server first, and the session is tried afterwards',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  async play(stage) {
    const mia = stage.actor('Mia');
    await stage.signIn(mia);
    await stage.link(mia);
    await stage.must(mia, 'exchangeToken', { label: 'before the logout' });
    await stage.mustEhr(mia, 'removeAuthInfo', 'log out at the EHR server');
    await stage.must(mia, 'logout', { label: 'log out' });
    await stage.perform(mia, 'exchangeToken', { label: 'after the logout', defect: 'the session was logged out' });
    if (stage.adapter.has('reportLink')) {
      await stage.perform(mia, 'reportLink', {
        label: 'report after the logout',
        defect: 'the session was logged out',
      });
    }
  },
};

export const deletion: Scenario = {
  id: 'deletion',
  title: 'A linked user is deleted, the EHR server disconnected first, and signs in anew',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  async play(stage) {
    const ned = stage.actor('Ned');
    await stage.signIn(ned);
    await stage.link(ned);
    await stage.must(ned, 'exchangeToken', { label: 'before the deletion' });
    await stage.mustEhr(ned, 'removeAuthentication', 'disconnect at the EHR server');
    await stage.must(ned, 'deleteUser', { label: 'delete' });
    await stage.perform(ned, 'exchangeToken', { label: 'after the deletion', defect: 'the user was deleted' });
    await stage.passResendPause();
    await stage.signIn(ned, 'sign in anew');
    await stage.link(ned, 'link anew');
  },
};

export const correspondence: Scenario = {
  id: 'correspondence',
  title: 'A user without an entry in the correspondence table reports a link',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  async play(stage) {
    const ola = stage.actor('Ola');
    await stage.signIn(ola, 'Ola signs in');
    await stage.link(ola, 'Ola links');
    const phone = stage.adapter.phoneWithoutCorrespondence;
    if (phone === undefined && !stage.adapter.has('removeCorrespondence')) return;
    const pip = stage.actor('Pip', phone);
    await stage.signIn(pip, 'Pip signs in');
    if (phone === undefined) await stage.must(pip, 'removeCorrespondence', { label: 'the entry is removed' });
    await stage.must(pip, 'exchangeToken', { label: 'Pip: exchange token' });
    await stage.mustEhr(pip, 'authenticate', 'Pip: authenticate');
    await stage.perform(pip, 'reportLink', {
      label: 'report without an entry',
      defect: 'the user has no entry in the correspondence table',
    });
  },
};
