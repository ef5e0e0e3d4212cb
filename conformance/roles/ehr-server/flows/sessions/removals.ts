/**
 * Checks of the two removals at an EHR server: of one session, and of a link with all its sessions (§4.5,
 * §4.6).
 */
import { check, done, type EhrCheck, ends, labelled, refused } from '../../check.ts';

/** Removals with wrong creds. */
const WRONG_REMOVALS = [
  'log out without cred',
  'log out with an unknown token',
  "log out with another user's name",
  'disconnect without cred',
  'disconnect with an unknown token',
  "disconnect with another user's name",
] as const;

const removalNeedsSession = check({
  id: 'removal-needs-session',
  title: 'A removal without a cred, or with one that is no stored session, removes nothing',
  requirements: ['5.4-removals-cred-checked'],
  expect: { ...labelled(WRONG_REMOVALS, ends), 'read at last': done },
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
  explains: ['no-read-outlives-ending', 'session-token-compared-in-full'],
  advice: 'Verify user and token of the cred together before anything is removed.',
});

export const removalChecks: readonly EhrCheck[] = [
  check({
    id: 'disconnect-ends-everything',
    title: 'remove_authentication ends all sessions of the user',
    requirements: ['D20-all-sessions-removed'],
    expect: {
      disconnect: done,
      'read with this session': refused('not_authorized'),
      'read on another device': refused('not_authorized'),
    },
    async play(world) {
      const linked = await world.linked();
      // The newest session disconnects: a server may let one session of a user live.
      const newest = await world.saved(linked);
      await world.removeAuthentication('disconnect', newest);
      await world.getPatient('read with this session', newest);
      await world.getPatient('read on another device', linked.session);
    },
    advice: 'Delete the link, its user_sign and every session of the user in one transaction.',
  }),
  check({
    id: 'disconnect-removes-link',
    title: 'After remove_authentication save_auth_info is refused for the user',
    requirements: ['3-disconnect-ends-session'],
    control: ['disconnect'],
    expect: { 'save a new session': refused('user_unknown') },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.removeAuthentication('disconnect', session);
      await world.saveAuthInfo('save a new session', world.session(session.user), userSign);
    },
    advice: 'Delete the link and its user_sign together with the sessions of the user.',
  }),
  removalNeedsSession,
  check({
    id: 'logout-ends-its-exchange-tokens',
    title: 'remove_auth_info ends the pending exchange tokens of its session, and of no other',
    requirements: ['D36-logout-ends-pending'],
    control: ['log out'],
    expect: { 'token of this session': refused('exchange_token_unknown'), 'token of another session': done },
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const other = await world.saved({ session, userSign });
      const own = await world.pendingFor({ person, session });
      world.needs(own.session === session, 'the server takes no exchange token for a live session');
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
    expect: {
      'a token saved before': refused('exchange_token_unknown'),
      'a token of another session': refused('exchange_token_unknown'),
    },
    async play(world) {
      const linked = await world.linked();
      const { person, session } = linked;
      const other = await world.saved(linked);
      const pending = await world.pendingFor({ person, session });
      const others = await world.pendingFor({ person, session: other });
      await world.removeAuthentication('disconnect', session);
      await world.authenticate('a token saved before', pending);
      await world.authenticate('a token of another session', others);
    },
    advice: 'Delete the exchange tokens of the user together with the link.',
  }),
];
