/** What was acknowledged is there after a restart (§2.4, §3). */
import { check, done, type EhrCheck, refused } from '../check.ts';
import { propertiesOf } from '../patients.ts';

export const restartChecks: readonly EhrCheck[] = [
  check({
    id: 'kept-over-restart',
    title: 'Links, sessions and exchange tokens that were acknowledged are there after a restart',
    requirements: ['2.4-remembered', '3-authenticated', '3-exchange-token-remembered'],
    expect: { 'read with a session': done, 'use an exchange token': done, 'save for the link': done },
    async play(world) {
      const { session, userSign } = await world.linked();
      const pending = await world.pending();
      await world.restart();
      await world.getPatient('read with a session', session);
      await world.authenticate('use an exchange token', pending, propertiesOf(pending.person));
      await world.saveAuthInfo('save for the link', world.session(session.user), userSign);
    },
    advice: 'Answer a save only when it is durable; keep links, sessions and exchange tokens in the database.',
  }),
  check({
    id: 'ended-over-restart',
    title: 'What was used up, logged out or disconnected stays so after a restart',
    requirements: ['D13-exchange-token-used-up', '3-logout-ends-session', '3-disconnect-ends-session'],
    expect: {
      'use a used exchange token': refused('exchange_token_unknown'),
      'read after logout': refused('not_authorized'),
      'read after disconnect': refused('not_authorized'),
    },
    async play(world) {
      const used = await world.pending();
      await world.link(used);
      const loggedOut = await world.linked();
      const disconnected = await world.linked();
      await world.mustSucceed('log out', (label) => world.removeAuthInfo(label, loggedOut.session));
      await world.mustSucceed('disconnect', (label) => world.removeAuthentication(label, disconnected.session));
      await world.restart();
      await world.authenticate('use a used exchange token', used, propertiesOf(used.person));
      await world.getPatient('read after logout', loggedOut.session);
      await world.getPatient('read after disconnect', disconnected.session);
    },
    advice: 'Make removals and the use of an exchange token durable before they are acknowledged.',
  }),
];
