/**
 * Checks of the two removals at an EHR server: of one session, and of a link with all its sessions (§4.5,
 * §4.6).
 */
import { check, done, type EhrCheck, refused } from '../../check.ts';

export const removalChecks: readonly EhrCheck[] = [
  check({
    id: 'logged-out-token-stays-taken',
    title: 'The token of a session that was logged out cannot be saved again',
    level: 'SHOULD',
    requirements: ['X-spent-token'],
    control: ['log out'],
    expect: { 'save it again': refused('token_already_stored') },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.removeAuthInfo('log out', session);
      await world.saveAuthInfo('save it again', session, userSign);
    },
    advice: 'Keep the hash of an ended session token, so that a replayed save does not open it again.',
  }),
  check({
    id: 'disconnect-ends-everything',
    title: 'remove_authentication ends all sessions of the user and removes the link',
    requirements: [
      '3-disconnect-ends-session',
      'D20-link-removed',
      'D20-all-sessions-removed',
      'D18-ehr-own-table',
      'D18-missing-entry-names-itself',
      'DE-user-unknown',
    ],
    expect: {
      disconnect: done,
      'read with this session': refused('not_authorized'),
      'read on another device': refused('not_authorized'),
      'save a new session': refused('user_unknown'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const other = await world.saved({ session, userSign });
      await world.removeAuthentication('disconnect', session);
      await world.getPatient('read with this session', session);
      await world.getPatient('read on another device', other);
      await world.saveAuthInfo('save a new session', world.session(session.user), userSign);
    },
    advice: 'Delete the link, its user_sign and every session of the user in one transaction.',
  }),
  check({
    id: 'removal-needs-session',
    title: 'A removal without a cred, or with one that is no stored session, is refused and removes nothing',
    requirements: ['5.4-removals-cred-checked'],
    control: ['read at last'],
    expect: {
      'log out without cred': refused(),
      'log out with an unknown token': refused('not_authorized'),
      "log out with another user's name": refused('not_authorized'),
      'disconnect without cred': refused(),
      'disconnect with an unknown token': refused('not_authorized'),
      "disconnect with another user's name": refused('not_authorized'),
    },
    async play(world) {
      const { session } = await world.linked();
      const unknown = world.session();
      const mixed = { user: unknown.user, token: session.token };
      const wrongToken = { user: session.user, token: unknown.token };
      await world.removeAuthInfo('log out without cred', session, { cred: undefined });
      await world.removeAuthInfo('log out with an unknown token', wrongToken);
      await world.removeAuthInfo("log out with another user's name", mixed);
      await world.removeAuthentication('disconnect without cred', session, { cred: undefined });
      await world.removeAuthentication('disconnect with an unknown token', wrongToken);
      await world.removeAuthentication("disconnect with another user's name", mixed);
      await world.getPatient('read at last', session);
    },
    advice: 'Verify user and token of the cred together before anything is removed.',
  }),
  check({
    id: 'logout-ends-its-exchange-tokens',
    title: 'remove_auth_info ends the pending exchange tokens of its session, and of no other',
    requirements: ['D36-logout-ends-pending'],
    control: ['log out'],
    expect: { 'token of this session': refused('exchange_token_unknown'), 'token of another session': done },
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const other = await world.saved({ session, userSign });
      const own = await world.pending({ person, session });
      const others = await world.pending({ person, session: other });
      await world.removeAuthInfo('log out', session);
      await world.authenticate('token of this session', own);
      await world.authenticate('token of another session', others);
    },
    advice: 'Delete the exchange tokens of the session together with it.',
  }),
  check({
    id: 'disconnect-ends-exchange-tokens',
    title: 'remove_authentication ends all pending exchange tokens of the user',
    requirements: ['D36-disconnect-ends-pending'],
    control: ['disconnect'],
    expect: { 'a token saved before': refused('exchange_token_unknown') },
    async play(world) {
      const { person, session } = await world.linked();
      const pending = await world.pending({ person, session });
      await world.removeAuthentication('disconnect', session);
      await world.authenticate('a token saved before', pending);
    },
    advice: 'Delete the exchange tokens of the user together with the link.',
  }),
];
