/**
 * Checks of all kinds of sessions at an EHR server, however they were made: the removal of the link ends all
 * of them, and a logout ends one alone (§4.5, §4.6).
 */

import { check, done, type EhrCheck, labelled, refused } from '../../check.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

/** A user with a session of each kind. */
type Everything = { linked: Linked; sessions: Readonly<Record<(typeof KINDS)[number], AuthInfo>> };

/** The ways in which a session can be made. */
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

/** Set-up: makes a user with all of these. */
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
  check({
    id: 'logout-ends-one-of-all',
    title:
      'remove_auth_info ends its own session and leaves those that the user has by other ways, and other users',
    requirements: ['K-several-devices', 'D19-one-session'],
    expect: {
      'log out': done,
      'read with the session that was logged out': refused('not_authorized'),
      'read with the others': done,
      'another user reads': done,
    },
    async play(world) {
      const bystander = await world.linked();
      const { sessions } = await everySession(world);
      const ended: Kind[] = [];
      for (const kind of ['saved and read', 'of the first link'] as const) {
        ended.push(kind);
        await world.removeAuthInfo('log out', sessions[kind]);
        await world.getPatient('read with the session that was logged out', sessions[kind]);
        for (const each of KINDS)
          if (!ended.includes(each)) await world.getPatient('read with the others', sessions[each]);
      }
      await world.getPatient('another user reads', bystander.session);
    },
    advice: 'Delete the one row of user and token at remove_auth_info.',
  }),
  check({
    id: 'live-session-announced',
    title:
      'An exchange token may be saved for a session that is alive, and authenticate with it leaves that as it is',
    requirements: ['D21a-session-already-live', 'D22-relogin-keeps-sign'],
    control: ['read before'],
    expect: { 'save an exchange token for it': done, authenticate: done, 'read after': done },
    async play(world) {
      const { person, session } = await world.linked();
      await world.getPatient('read before', session);
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('save an exchange token for it', exchangeToken, session);
      await world.authenticate('authenticate', { exchangeToken, session, person });
      await world.getPatient('read after', session);
    },
    advice:
      'Take an exchange token for a session of the same user, and let authenticate succeed where it is alive.',
  }),
  check({
    id: 'exchange-tokens-counted-by-session',
    title: 'Five exchange tokens of one session end none of another session, or of another user',
    requirements: ['D36-five-pending', 'D21a-tokens-independent'],
    expect: { 'the token of another session': done, 'the token of another user': done },
    async play(world) {
      const { person, session } = await world.linked();
      const own = await world.pendingFor({ person, session });
      const other = await world.pending();
      const busy = world.session(session.user);
      for (let number = 1; number <= 6; number++) await world.pending({ person, session: busy });
      await world.authenticate('the token of another session', own);
      await world.authenticate('the token of another user', other);
    },
    advice: 'Count the pending exchange tokens by user and session token together.',
  }),
];
