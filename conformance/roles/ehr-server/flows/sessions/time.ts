/** Checks of lifetimes, and that the server's own clock counts (§2.3, §8, decisions 9 to 12). */
import type { About } from '../../../../engine/check/flow.ts';
import { check, checkOf, done, type EhrCheck, ends, entriesOf, labelled, refused } from '../../check.ts';

/** The end of a session is tried several times: a server that rounds to seconds is right at times. */
const ROUNDS = 3;
const EXCHANGE_TOKEN_MINUTES = 10;

const unitOfTtl = (unit: 'minutes' | 'seconds', ttl: number, about: About & { advice: string }) =>
  check({
    ...about,
    waitsMinutes: 1,
    expect: { 'after 57 seconds': done, 'after 61 seconds': refused('session_expired') },
    async play(world) {
      const { ttlUnit } = world.settings;
      world.needs(ttlUnit === unit, `the server counts its ttl in ${ttlUnit}`);
      const { session, userSign } = await world.linked();
      const short = await world.parts.pace.stored(1, () => world.saved({ session, userSign }, { ttl }));
      await world.advanceBefore(short.lifetime);
      await world.getPatient('after 57 seconds', short);
      world.parts.pace.requireAlive(short.lifetime);
      await world.advanceAfter(short.lifetime);
      await world.getPatient('after 61 seconds', short);
    },
  });

/** Forms of authInfo.created, as authorization servers send it. Milliseconds go beyond 2^31. */
const CREATED = {
  'created long ago': '2001-01-01T00:00:00.000Z',
  'created in the future': '2091-01-01T00:00:00.000Z',
  'created as a number': 1,
  'created as a number in the future': 3_818_448_000_000,
  'created as null': null,
} as const;

export const timeChecks: readonly EhrCheck[] = [
  unitOfTtl('minutes', 1, {
    id: 'ttl-in-minutes',
    title: 'A ttl of 1 opens a session for a minute, where the unit is the minute',
    requirements: ['2.3-ttl-lived'],
    advice:
      'Count the ttl in minutes from the moment of storing; answer -33001 from its last instant on. If your server counts seconds by decision, say ttlUnit: seconds in the file.',
  }),
  unitOfTtl('seconds', 60, {
    id: 'ttl-in-seconds',
    title: 'A ttl of 60 opens a session for a minute, where the unit is the second',
    requirements: ['2.3-ttl-lived'],
    advice:
      'Count the ttl in seconds from the moment of storing; answer -33001 from its last instant on. If your server counts minutes, leave ttlUnit out of the file.',
  }),
  check({
    id: 'over-at-the-instant',
    title:
      'A session at the end of its ttl, and an exchange token at the end of its ten minutes, work no more',
    requirements: ['2.3-ttl-lived', '8-exchange-token-lifetime'],
    waitsMinutes: 11,
    control: ['read before', 'another exchange token'],
    expect: {
      'read at the end of the ttl': refused('session_expired'),
      'use the exchange token after ten minutes': refused('exchange_token_expired'),
    },
    async play(world) {
      const linked = await world.linked();
      for (let round = 0; round < ROUNDS; round++) {
        const short = await world.saved(linked, { ttl: world.ttl(1) });
        await world.getPatient('read before', short);
        // The clock moves by exactly the ttl. The session was saved before, so its end has just passed.
        await world.advance(1);
        await world.getPatient('read at the end of the ttl', short);
      }
      const late = await world.pending(world.again(linked));
      await world.advance(EXCHANGE_TOKEN_MINUTES);
      await world.authenticate('use the exchange token after ten minutes', late);
      await world.signIn('another exchange token', world.again(linked));
    },
    advice:
      'Compare in milliseconds: alive while now < stored + ttl. Whole seconds that are rounded up live too long.',
  }),
  check({
    id: 'exchange-token-expires',
    title: 'An exchange token works until its ten minutes are over, and not after',
    requirements: [
      '8-exchange-token-lifetime',
      '3-exchange-token-pending',
      '3-authenticate-needs-live-token',
    ],
    waitsMinutes: 10,
    expect: {
      'just before': done,
      'a failed match just before': refused('patient_not_matched'),
      'just after': refused('exchange_token_expired'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      const { pace } = world.parts;
      const first = await pace.stored(EXCHANGE_TOKEN_MINUTES, () => world.pending());
      const second = await pace.stored(EXCHANGE_TOKEN_MINUTES, () => world.pending());
      await world.advanceBefore(first.lifetime);
      await world.authenticate('just before', first);
      pace.requireAlive(first.lifetime);
      const properties = world.strangersProperties();
      await world.authenticate('a failed match just before', second, { properties });
      pace.requireAlive(second.lifetime);
      await world.advanceAfter(second.lifetime);
      await world.authenticate('just after', second);
      await world.getPatient('read the patient', second.session);
    },
    advice: 'Refuse an exchange token from ten minutes after it was saved, and take it until then.',
  }),
  check({
    id: 'created-accepted',
    title: 'An authInfo with created is accepted, as a text and as a number',
    requirements: ['D10-created-accepted'],
    expect: labelled(CREATED, done),
    async play(world) {
      const { session, userSign } = await world.linked();
      for (const [label, created] of entriesOf(CREATED))
        await world.saveAuthInfo(label, { ...world.session(session.user), created }, userSign);
    },
    advice:
      'Take created in any form, and let it decide nothing: authorization servers of the field send it.',
  }),
];

const HOUR_MINUTES = 60;
/** Longer than 24 days, the most that timers of some languages can wait. */
const FORTY_DAYS_MINUTES = 57_600;

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

export const lifetimeChecks: readonly EhrCheck[] = [
  expiredNotRevived,
  checkOf(expiredNotRevived, {
    id: 'expired-session-stays-over',
    title: 'Neither an exchange token of before nor a repeated save opens an expired session again',
    requirements: ['2.3-token-of-one-session', '8-token-used-once'],
    control: ['read before'],
    expect: {
      'use an exchange token of before': refused(),
      'save it again': refused('token_already_stored'),
    },
    advice: 'Keep the row of an expired session: its token stays taken, and the user gets a new one.',
  }),
  check({
    id: 'session-not-lengthened',
    title: 'Other saves and sign-ins of the user do not lengthen a session',
    requirements: ['K-session-over-at-ttl'],
    waitsMinutes: 2,
    control: ['save another', 'sign in on another device'],
    expect: {
      'the one left alone': refused('session_expired'),
      'the one saved again': refused('session_expired'),
    },
    further: ['save one again for an hour'],
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const of = (minutes: number) => world.session(session.user, minutes);
      const [alone, again] = [of(1), of(1)];
      for (const each of [alone, again]) await world.saved({ session, userSign }, each);
      await world.saveAuthInfo('save another', of(HOUR_MINUTES), userSign);
      const longer = { ...again, ttl: world.ttl(HOUR_MINUTES) };
      await world.saveAuthInfo('save one again for an hour', longer, userSign);
      await world.signIn('sign in on another device', { person, session: of(HOUR_MINUTES) });
      await world.advance(1, 1);
      await world.getPatient('the one left alone', alone);
      await world.getPatient('the one saved again', again);
    },
    advice: 'Write the end of a session once, when it is stored; a repeated save leaves it.',
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

const HOUR_LATER_MINUTES = 61;
/** Forty days: beyond the time after which servers clean up. */
const WEEKS_LATER_MINUTES = 57_600;

export const spentLaterChecks: readonly EhrCheck[] = [
  check({
    id: 'spent-stays-spent',
    title: 'Used, expired and ended tokens open nothing an hour and forty days later',
    requirements: ['D13-exchange-token-used-up', 'K-session-over-at-ttl'],
    control: ['link another patient'],
    expect: {
      'use a used exchange token': refused('exchange_token_unknown'),
      'read with its session': refused(),
      'use an expired exchange token': refused(),
      'use an exhausted exchange token': refused(),
      'read after the logout': refused(),
      'read after the disconnect': refused(),
      'read after the ttl': refused(),
    },
    async play(world) {
      world.needs(world.parts.canAdvance, 'the clock of the server cannot be moved by weeks');
      const used = await world.linked();
      const loggedOut = await world.saved(used);
      await world.mustSucceed('log out', (label) => world.removeAuthInfo(label, loggedOut));
      const short = await world.saved(used, { ttl: world.ttl(1) });
      const late = await world.pending(world.again(used));
      const exhausted = await world.pending(world.again(used));
      for (let guess = 0; guess < 5; guess++) {
        const properties = world.strangersProperties();
        await world.authenticate('fail a match', exhausted, { properties });
      }
      for (const minutes of [HOUR_LATER_MINUTES, WEEKS_LATER_MINUTES]) {
        await world.advance(minutes);
        await world.authenticate('use a used exchange token', used);
        await world.getPatient('read with its session', used.session);
        await world.authenticate('use an expired exchange token', late);
        await world.authenticate('use an exhausted exchange token', exhausted);
        await world.getPatient('read after the logout', loggedOut);
        await world.getPatient('read after the ttl', short);
      }
      const removed = await world.linked();
      await world.disconnected(removed);
      await world.advance(HOUR_LATER_MINUTES);
      await world.getPatient('read after the disconnect', removed.session);
      await world.signIn('link another patient');
    },
    further: ['fail a match'],
    advice: 'Look at the end of a token whenever it is used: what a clean-up deletes must not open again.',
  }),
];
