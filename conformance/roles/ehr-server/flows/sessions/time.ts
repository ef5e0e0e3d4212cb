/** Lifetimes: the unit of ttl, the end of a session, and whose clock counts (§2.3, decisions 9 to 12). */
import { check, done, type EhrCheck, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld } from '../../world/world.ts';

const ROUNDS = 3;
const EXCHANGE_TOKEN_MINUTES = 10;

/** A session of a linked user with this lifetime in the server's unit. */
async function sessionOf(world: EhrWorld, ttl: number, more: Record<string, unknown> = {}) {
  const { session, userSign } = await world.linked();
  const next = { ...world.session(session.user), ttl, ...more };
  await world.mustSucceed('save a session', (label) => world.saveAuthInfo(label, next, userSign));
  return { session: next, userSign };
}

const SECONDS_A_MINUTE = 60;
/** A moment of the year 2091, in milliseconds since 1970. */
const IN_YEARS_MS = 3_818_448_000_000;

export const timeChecks: readonly EhrCheck[] = [
  check({
    id: 'ttl-in-minutes',
    title: 'A ttl of 1 opens a session for a minute, where the unit is the minute',
    requirements: ['D9-ttl-minutes', 'D11-session-boundary', 'DE-session-expired'],
    waitsMinutes: 1,
    expect: { 'after 57 seconds': done, 'after 61 seconds': refused('session_expired') },
    async play(world) {
      world.needUnit('minutes');
      const { session } = await sessionOf(world, 1);
      await world.advance(0, 57);
      await world.getPatient('after 57 seconds', session);
      await world.advance(0, 4);
      await world.getPatient('after 61 seconds', session);
    },
    advice: 'Count the ttl in minutes from the moment of storing; answer -33001 from its last instant on.',
  }),
  check({
    id: 'ttl-in-seconds',
    title: 'A ttl of 60 opens a session for a minute, where the unit is the second',
    requirements: ['D9-ttl-seconds', 'D11-session-boundary', 'DE-session-expired'],
    waitsMinutes: 1,
    expect: { 'after 57 seconds': done, 'after 61 seconds': refused('session_expired') },
    async play(world) {
      world.needUnit('seconds');
      const { session } = await sessionOf(world, SECONDS_A_MINUTE);
      await world.advance(0, 57);
      await world.getPatient('after 57 seconds', session);
      await world.advance(0, 4);
      await world.getPatient('after 61 seconds', session);
    },
    advice: 'Count the ttl in seconds from the moment of storing; answer -33001 from its last instant on.',
  }),
  check({
    id: 'over-at-the-instant',
    title:
      'A session at the end of its ttl, and an exchange token at the end of its ten minutes, work no more',
    requirements: ['D11-session-boundary', 'D11-exchange-token-boundary'],
    waitsMinutes: 11,
    control: ['read before', 'another exchange token'],
    expect: {
      'read at the end of the ttl': refused('session_expired'),
      'use the exchange token after ten minutes': refused('exchange_token_expired'),
    },
    async play(world) {
      const { person, session, userSign } = await world.linked();
      for (let round = 0; round < ROUNDS; round++) {
        const short = { ...world.session(session.user), ttl: world.ttl(1) };
        await world.mustSucceed('save a session', (label) => world.saveAuthInfo(label, short, userSign));
        await world.getPatient('read before', short);
        // Whole minutes after the answer: the end has passed, if only by the time that the calls took.
        await world.advance(1);
        await world.getPatient('read at the end of the ttl', short);
      }
      const user = { person, session: world.session(session.user) };
      const [late, next] = [await world.pending(user), world.session(session.user)];
      await world.advance(EXCHANGE_TOKEN_MINUTES);
      await world.authenticate('use the exchange token after ten minutes', late, propertiesOf(person));
      const again = await world.pending({ person, session: next });
      await world.authenticate('another exchange token', again, propertiesOf(person));
    },
    advice:
      'Compare in milliseconds: alive while now < stored + ttl. Whole seconds that are rounded up live too long.',
  }),
  check({
    id: 'expired-session-removes-nothing',
    title: 'An expired session removes nothing, and says that it has expired',
    requirements: ['DE-session-expired', '5.4-removals-cred-checked'],
    waitsMinutes: 2,
    control: ['save a new session'],
    expect: { 'log out': refused('session_expired'), disconnect: refused('session_expired') },
    async play(world) {
      const { session, userSign } = await sessionOf(world, world.ttl(1));
      await world.advance(1, 1);
      await world.removeAuthInfo('log out', session);
      await world.removeAuthentication('disconnect', session);
      await world.saveAuthInfo('save a new session', world.session(session.user), userSign);
    },
    advice: 'Check the lifetime of the session before every call of a client, the removals too.',
  }),
  check({
    id: 'expired-token-stays-taken',
    title: 'The token of an expired session stays taken',
    requirements: ['D12-expired-token-taken'],
    waitsMinutes: 2,
    control: ['a new token'],
    expect: { 'the same token': refused('token_already_stored') },
    async play(world) {
      const { session, userSign } = await sessionOf(world, world.ttl(1));
      await world.advance(1, 1);
      await world.saveAuthInfo('the same token', session, userSign);
      await world.saveAuthInfo('a new token', world.session(session.user), userSign);
    },
    advice: 'Keep expired sessions for a while: a token that is saved again must be refused.',
  }),
  check({
    id: 'created-decides-nothing',
    title: 'authInfo.created is accepted, and no lifetime depends on it',
    requirements: ['D10-created-accepted', 'D10-own-clock'],
    expect: {
      'created long ago': done,
      'created in the future': done,
      'created as a number': done,
      'created as a number in the future': done,
      'read with the first': done,
      'read with the second': done,
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const created = (value: unknown) => ({
        ...world.session(session.user),
        ttl: world.ttl(1),
        created: value,
      });
      const [past, future, number] = [
        created('2001-01-01T00:00:00.000Z'),
        created('2091-01-01T00:00:00.000Z'),
        created(1),
      ];
      await world.saveAuthInfo('created long ago', past, userSign);
      await world.saveAuthInfo('created in the future', future, userSign);
      await world.saveAuthInfo('created as a number', number, userSign);
      await world.saveAuthInfo('created as a number in the future', created(IN_YEARS_MS), userSign);
      await world.getPatient('read with the first', past);
      await world.getPatient('read with the second', future);
    },
    advice: 'Measure lifetimes on the server’s own clock from the moment of storing.',
  }),
  check({
    id: 'created-prolongs-nothing',
    title: 'A created in the future does not prolong a session',
    requirements: ['D10-created-accepted', 'D10-own-clock'],
    waitsMinutes: 2,
    expect: { 'when the ttl is over': refused('session_expired') },
    async play(world) {
      const { session } = await sessionOf(world, world.ttl(1), { created: '2091-01-01T00:00:00.000Z' });
      await world.advance(1, 1);
      await world.getPatient('when the ttl is over', session);
    },
    advice: 'Measure lifetimes on the server’s own clock from the moment of storing.',
  }),
];
