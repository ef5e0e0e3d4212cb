/** Checks that nothing lengthens a session at an EHR server, and that nothing revives an expired one. */

import { check, checkOf, done, type EhrCheck, ends, refused } from '../../check.ts';
import type { AuthInfo } from '../../world/messages.ts';

const HOUR_MINUTES = 60;
/** Longer than 24 days, the most that timers of some languages can wait. */
const FORTY_DAYS_MINUTES = 57_600;

/** The label of a read after a call about the expired session was refused. */
const AFTER_REFUSAL = 'read after a call that was refused';

const expiredNotRevived = check({
  id: 'expired-session-not-revived',
  title: 'Neither a call that is refused nor another sign-in revives an expired session',
  requirements: ['K-session-over-at-ttl'],
  waitsMinutes: 2,
  control: ['read before', 'sign in on another device'],
  expect: { 'read after another sign-in': refused('session_expired') },
  further: ['read when it is over', 'use an exchange token of before', 'save it again', AFTER_REFUSAL],
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
    await world.signIn('sign in on another device', world.again(linked));
    await world.getPatient('read after another sign-in', short);
    // Both may open a session of the same token by the interface: a refusal must not.
    const used = await world.authenticate('use an exchange token of before', before);
    if (used.result.kind === 'refused') await world.getPatient(AFTER_REFUSAL, short);
    const saved = await world.saveAuthInfo('save it again', long, userSign);
    if (used.result.kind === 'refused' && saved.result.kind === 'refused')
      await world.getPatient(AFTER_REFUSAL, short);
  },
  judge({ all }) {
    const read = all(AFTER_REFUSAL).find(({ result }) => result.kind === 'done');
    return read && { expected: `"${AFTER_REFUSAL}" is refused`, actual: 'it succeeded', shownBy: [read] };
  },
  advice: 'Leave the row of an expired session as it is, and look at its end at each read.',
});

const notLengthened = check({
  id: 'session-not-lengthened',
  title: 'Other saves and sign-ins of the user do not lengthen a session',
  requirements: ['K-session-over-at-ttl'],
  waitsMinutes: 2,
  control: ['save another', 'sign in on another device'],
  expect: {
    'the one left alone': refused('session_expired'),
    'the one saved again': refused('session_expired'),
  },
  further: [
    ...['save one again for an hour', 'save the long one again'],
    ...['authenticate for the one announced again', 'save the one announced again'],
    ...['the one announced again', 'the long one, saved again for a minute'],
    ...['the one of the other device', 'use an exchange token that waited'],
    'the one of that exchange token',
  ],
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
  advice: 'Write the end of a session once, when it is stored; a repeated save leaves it.',
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
  checkOf(expiredNotRevived, {
    id: 'expired-session-stays-over',
    title: 'Neither an exchange token of before nor a repeated save opens an expired session again',
    requirements: ['D12-expired-token-taken'],
    control: ['read before'],
    expect: {
      'use an exchange token of before': refused(),
      'save it again': refused('token_already_stored'),
    },
    advice: 'Keep the row of an expired session: its token stays taken, and the user gets a new one.',
  }),
  notLengthened,
  checkOf(notLengthened, {
    id: 'live-session-keeps-its-end',
    title: 'An exchange token for a live session, and what is announced or saved beside it, leave its end',
    requirements: ['D21a-session-already-live'],
    control: ['save another', 'authenticate for the one announced again', 'sign in on another device'],
    expect: {
      'the one announced again': refused('session_expired'),
      'save the one announced again': refused('token_already_stored'),
      'the long one, saved again for a minute': done,
      'the one of the other device': done,
      'use an exchange token that waited': done,
      'the one of that exchange token': done,
    },
    advice: 'Write the end of a session once, when it is stored; a later authenticate leaves it.',
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
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.getPatient('read with a session of an hour', session);
      const long = world.session(session.user, FORTY_DAYS_MINUTES);
      await world.saveAuthInfo('save a session of forty days', long, userSign);
      await world.getPatient('read with it', long);
    },
    judge({ of }) {
      const saved = of('save a session of forty days');
      if (saved.result.kind !== 'done') return undefined;
      const read = of('read with it');
      if (read.result.kind === 'done') return undefined;
      const actual = `"${read.step.label}" is refused`;
      return { expected: 'a session that was saved for forty days reads', actual, shownBy: [saved, read] };
    },
    advice:
      'Compare the clock with a stored end: a timer of more than 24 days fires at once in some languages.',
  }),
];
