/** Checks that nothing lengthens a session at an EHR server, and that nothing revives an expired one. */

import { check, checkOf, done, type EhrCheck, ends, refused } from '../../check.ts';
import type { AuthInfo } from '../../world/messages.ts';

const HOUR_MINUTES = 60;
/** Longer than 24 days, the most that timers of some languages can wait. */
const FORTY_DAYS_MINUTES = 57_600;
const TWO_DAYS_MINUTES = 2_880;
const AFTER_TWO_DAYS = 'read with it after two days';

const expiredNotRevived = check({
  id: 'expired-session-not-revived',
  title: 'Neither an exchange token, nor a repeated save, nor another sign-in revives an expired session',
  requirements: ['K-session-over-at-ttl'],
  waitsMinutes: 2,
  control: ['read before', 'sign in on another device'],
  further: ['read when it is over'],
  expect: {
    'use an exchange token of before': refused(),
    'read after the exchange token': refused('session_expired'),
    'save it again': refused('token_already_stored'),
    'read after the repeated save': refused('session_expired'),
    'read after another sign-in': refused('session_expired'),
  },
  async play(world) {
    const linked = await world.linked();
    const { person, userSign } = linked;
    const short = await world.saved(linked, { ttl: world.ttl(1) });
    const long = { ...short, ttl: world.ttl(HOUR_MINUTES) };
    const given = await world.pendingFor({ person, session: long });
    // A server that takes no exchange token for a live session has none that could revive it.
    const isForOther = given.session !== long;
    const before = isForOther ? { ...given, exchangeToken: world.invented('exchange-token') } : given;
    await world.getPatient('read before', short);
    await world.advance(1, 1);
    await world.getPatient('read when it is over', short);
    await world.authenticate('use an exchange token of before', before);
    await world.getPatient('read after the exchange token', short);
    await world.saveAuthInfo('save it again', long, userSign);
    await world.getPatient('read after the repeated save', short);
    await world.signIn('sign in on another device', world.again(linked));
    await world.getPatient('read after another sign-in', short);
  },
  advice: 'Leave the row of an expired session as it is: its token stays taken, and the user gets a new one.',
});

export const lifetimeChecks: readonly EhrCheck[] = [
  checkOf(expiredNotRevived, {
    id: 'session-over-at-ttl',
    title: 'A session reads nothing once its ttl is over',
    requirements: ['K-session-over-at-ttl'],
    control: ['read before'],
    expect: { 'read when it is over': refused('session_expired') },
    advice: 'Store the end of a session when it is saved, and compare it with the clock at each call.',
  }),
  expiredNotRevived,
  check({
    id: 'session-not-lengthened',
    title: 'Other saves, exchange tokens and sign-ins of the user neither lengthen nor shorten a session',
    requirements: ['K-session-over-at-ttl', 'D21a-session-already-live'],
    waitsMinutes: 2,
    control: ['save another', 'sign in on another device', 'authenticate for the one announced again'],
    expect: {
      'the one left alone': refused('session_expired'),
      'the one saved again': refused('session_expired'),
      'the one announced again': refused('session_expired'),
      'save the one announced again': refused('token_already_stored'),
      'the long one, saved again for a minute': done,
      'the one of the other device': done,
      'use an exchange token that waited': done,
      'the one of that exchange token': done,
    },
    further: ['save one again for an hour', 'save the long one again'],
    async play(world) {
      const { person, session, userSign } = await world.linked();
      // `of` makes a session of so many minutes; `lasting` gives a session another lifetime.
      const of = (minutes: number) => world.session(session.user, minutes);
      const lasting = (one: AuthInfo, minutes: number) => ({ ...one, ttl: world.ttl(minutes) });
      const [alone, again, announced, long] = [of(1), of(1), of(1), of(HOUR_MINUTES)];
      for (const each of [alone, again, announced, long]) await world.saved({ session, userSign }, each);
      const late = await world.pending({ person, session: of(1) });
      await world.saveAuthInfo('save another', of(HOUR_MINUTES), userSign);
      await world.saveAuthInfo('save one again for an hour', lasting(again, HOUR_MINUTES), userSign);
      await world.saveAuthInfo('save the long one again', lasting(long, 1), userSign);
      const told = await world.pendingFor({ person, session: lasting(announced, HOUR_MINUTES) });
      await world.authenticate('authenticate for the one announced again', told);
      await world.saveAuthInfo('save the one announced again', announced, userSign);
      const device = await world.signIn('sign in on another device', { person, session: of(HOUR_MINUTES) });
      await world.advance(1, 1);
      await world.getPatient('the one left alone', alone);
      await world.getPatient('the one saved again', again);
      await world.getPatient('the one announced again', announced);
      await world.getPatient('the long one, saved again for a minute', long);
      await world.getPatient('the one of the other device', device.session);
      await world.authenticate('use an exchange token that waited', late);
      await world.getPatient('the one of that exchange token', late.session);
    },
    advice:
      'Write the end of a session once, when it is stored; a repeated save and a later authenticate leave it.',
  }),
  check({
    id: 'ttl-of-weeks',
    title: 'A session of forty days, where the server takes such a ttl, is alive',
    requirements: ['3-authenticated'],
    expect: {
      'read with a session of an hour': done,
      'save a session of forty days': ends,
      'read with it': ends,
    },
    further: [AFTER_TWO_DAYS],
    async play(world) {
      const { session, userSign } = await world.linked();
      const long = world.session(session.user, FORTY_DAYS_MINUTES);
      await world.saveAuthInfo('save a session of forty days', long, userSign);
      await world.getPatient('read with it', long);
      await world.getPatient('read with a session of an hour', session);
      if (!world.parts.canAdvance) return;
      await world.advance(TWO_DAYS_MINUTES);
      await world.getPatient(AFTER_TWO_DAYS, long);
    },
    judge({ of, all }) {
      const saved = of('save a session of forty days');
      if (saved.result.kind !== 'done') return undefined;
      const reads = [of('read with it'), ...all(AFTER_TWO_DAYS)];
      const ended = reads.find(({ result }) => result.kind !== 'done');
      if (!ended) return undefined;
      const actual = `"${ended.step.label}" is refused`;
      return { expected: 'a session that was saved for forty days reads', actual, shownBy: [saved, ended] };
    },
    advice:
      'Compare the clock with a stored end: a timer of more than 24 days fires at once in some languages.',
  }),
];
