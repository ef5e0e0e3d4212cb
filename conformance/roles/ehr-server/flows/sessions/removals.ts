/** Checks of the two removals: of one session, and of a link with all its sessions (§4.5, §4.6). */
import { check, done, type EhrCheck, ends, labelled, refused } from '../../check.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

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

type Everything = { linked: Linked; sessions: Readonly<Record<(typeof KINDS)[number], AuthInfo>> };

const KINDS = [
  'of the first link',
  'saved and read',
  'saved and never read',
  'of another device',
  'saved last',
] as const;
type Kind = (typeof KINDS)[number];

/** Kinds of the newest session of a user, which disconnects: a server may let one session of a user live. */
const NEWEST = ['saved last', 'of another device'] as const;

async function everySession(
  world: EhrWorld,
  newest: (typeof NEWEST)[number] = 'saved last',
): Promise<Everything> {
  const linked = await world.linked();
  const { session } = linked;
  const read = await world.saved(linked);
  await world.mustSucceed('read with it', (label) => world.getPatient(label, read));
  const unread = await world.saved(linked);
  const early = newest === 'of another device' ? await world.saved(linked) : undefined;
  const device = await world.pending(world.again(linked));
  await world.link(device);
  const last = early ?? (await world.saved(linked));
  return {
    linked,
    sessions: {
      'of the first link': session,
      'saved and read': read,
      'saved and never read': unread,
      'of another device': device.session,
      'saved last': last,
    },
  };
}

const readOf = (kind: Kind) => `read with the session ${kind}` as const;

export const everySessionChecks: readonly EhrCheck[] = [
  check({
    id: 'link-ends-every-session',
    title: 'remove_authentication ends the sessions of the user, however made, and of nobody else',
    requirements: ['D20-all-sessions-removed'],
    control: ['disconnect', 'link again'],
    expect: { ...labelled(KINDS.map(readOf), refused('not_authorized')), 'another user reads': done },
    async play(world) {
      const bystander = await world.linked();
      for (const kind of NEWEST) {
        const { linked, sessions } = await everySession(world, kind);
        const readEach = async () => {
          for (const each of KINDS) await world.getPatient(readOf(each), sessions[each]);
        };
        await world.removeAuthentication('disconnect', sessions[kind]);
        await readEach();
        await world.getPatient('another user reads', bystander.session);
        await world.signIn('link again', world.again(linked));
        await readEach();
        await world.release(bystander.session.user);
      }
    },
    advice: 'Delete the sessions by the user, not by the session that the call came with.',
  }),
];
