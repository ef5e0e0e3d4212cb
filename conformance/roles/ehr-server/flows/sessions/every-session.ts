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
];
