/** Lifetimes, and that the server's own clock counts (§2.3, §8, decisions 9 to 12). */
import type { FlowCheck } from '../../../../engine/check/flow.ts';
import { type EhrFlow, flow } from '../../flow.ts';

/** The end of a session is tried several times: a server that rounds to seconds is right at times. */
const ROUNDS = 3;
const EXCHANGE_TOKEN_MINUTES = 10;
/** Some servers take such a ttl for one without an end. */
const NO_LIFETIMES = [0, -1];

type OfUnit = { id: string; unit: 'minutes' | 'seconds'; ttl: number };

const unitOfTtl = ({ id, unit, ttl }: OfUnit, about: FlowCheck) =>
  flow(id, {
    ...about,
    waitsMinutes: 1,
    async play(world) {
      const { ttlUnit } = world.settings;
      world.needs(ttlUnit === unit, `the server counts its ttl in ${ttlUnit}`);
      const { session, userSign } = await world.linked();
      const { pace } = world.parts;
      const short = await pace.stored(1, () => world.saved({ session, userSign }, { ttl }));
      const person = await world.patient();
      const opened = await world.pending({ person, session: { ...world.sessionFor(person), ttl } });
      const { lifetime } = await pace.stored(1, () => world.link(opened));
      await world.advanceBefore(short.lifetime);
      await world.succeeds(world.getPatient('after 57 seconds', short));
      await world.succeeds(world.getPatient('after 57 seconds, opened by authenticate', opened.session));
      pace.requireAlive(short.lifetime);
      await world.advanceAfter(lifetime);
      await world.refuses(world.getPatient('after 61 seconds', short), 'session_expired');
      const late = world.getPatient('after 61 seconds, opened by authenticate', opened.session);
      await world.refuses(late, 'session_expired');
    },
  });

// Two sessions of one ttl when it is over.
const ALONE = 'the one left alone';
const READ_BEFORE = 'the one that was read';

/** Forms of authInfo.created, as authorization servers send it. Milliseconds go beyond 2^31. */
const CREATED = {
  'created long ago': '2001-01-01T00:00:00.000Z',
  'created in the future': '2091-01-01T00:00:00.000Z',
  'created as a number': 1,
  'created as a number in the future': 3_818_448_000_000,
  'created as null': null,
} as const;

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;
/** Longer than the 24 days that timers of some languages can wait, and than servers keep what has ended. */
const FORTY_DAYS_MINUTES = 57_600;

const HOUR_LATER_MINUTES = 61;

export const timeFlows: readonly EhrFlow[] = [
  unitOfTtl(
    { id: 'ttl-in-minutes', unit: 'minutes', ttl: 1 },
    {
      title: 'A ttl of 1 opens a session for a minute, where the unit is the minute',
      requirements: ['2.3-ttl-lived'],
      advice:
        'Count the ttl in minutes from the moment of storing; answer -33001 from its last instant on. If your server counts seconds by decision, say ttlUnit: seconds in the file.',
    },
  ),
  unitOfTtl(
    { id: 'ttl-in-seconds', unit: 'seconds', ttl: 60 },
    {
      title: 'A ttl of 60 opens a session for a minute, where the unit is the second',
      requirements: ['2.3-ttl-lived'],
      advice:
        'Count the ttl in seconds from the moment of storing; answer -33001 from its last instant on. If your server counts minutes, leave ttlUnit out of the file.',
    },
  ),
  flow('over-at-the-instant', {
    title:
      'A session at the end of its ttl, and an exchange token at the end of its ten minutes, work no more',
    requirements: ['2.3-ttl-lived', '8-exchange-token-lifetime'],
    advice:
      'Compare in milliseconds: alive while now < stored + ttl. Whole seconds that are rounded up live too long.',
    waitsMinutes: 11,
    async play(world) {
      const linked = await world.linked();
      for (let round = 0; round < ROUNDS; round++) {
        const short = await world.saved(linked, { ttl: world.ttl(1) });
        await world.control(world.getPatient('read before', short));
        const endless = NO_LIFETIMES.map((ttl) => ({ ...world.session(linked.session.user), ttl }));
        for (const each of endless)
          await world.saveAuthInfo(`save a ttl of ${each.ttl}`, each, linked.userSign)();
        // The clock moves by exactly the ttl. The session was saved before, so its end has just passed.
        await world.advance(1);
        await world.refuses(world.getPatient('read at the end of the ttl', short), 'session_expired');
        for (const each of endless)
          await world.refuses(world.getPatient(`read with a ttl of ${each.ttl}`, each));
      }
      const late = await world.pending(world.again(linked));
      await world.advance(EXCHANGE_TOKEN_MINUTES);
      const use = world.authenticate('use the exchange token after ten minutes', late);
      await world.refuses(use, 'exchange_token_expired');
      await world.control(world.signIn('another exchange token', world.again(linked)));
    },
  }),
  flow('exchange-token-expires', {
    title: 'An exchange token works until its ten minutes are over, and not after',
    requirements: [
      '8-exchange-token-lifetime',
      '3-exchange-token-pending',
      '3-authenticate-needs-live-token',
    ],
    explains: ['ends-kept-over-restart'],
    advice: 'Refuse an exchange token from ten minutes after it was saved, and take it until then.',
    waitsMinutes: 10,
    async play(world) {
      const { pace } = world.parts;
      const first = await pace.stored(EXCHANGE_TOKEN_MINUTES, () => world.pending());
      const second = await pace.stored(EXCHANGE_TOKEN_MINUTES, () => world.pending());
      await world.advanceBefore(first.lifetime);
      await world.succeeds(world.authenticate('just before', first));
      pace.requireAlive(first.lifetime);
      const properties = world.strangersProperties();
      const guess = world.authenticate('a failed match just before', second, { properties });
      await world.refuses(guess, 'patient_not_matched');
      pace.requireAlive(second.lifetime);
      await world.advanceAfter(second.lifetime);
      await world.refuses(world.authenticate('just after', second), 'exchange_token_expired');
      await world.refuses(world.getPatient('read the patient', second.session), 'not_authorized');
    },
  }),
  flow('created-accepted', {
    title: 'An authInfo with created is accepted, as a text and as a number',
    requirements: ['D10-created-accepted'],
    advice:
      'Take created in any form, and let it decide nothing: authorization servers of the field send it.',
    async play(world) {
      const { session, userSign } = await world.linked();
      for (const [label, created] of Object.entries(CREATED)) {
        const next = { ...world.session(session.user), created };
        await world.succeeds(world.saveAuthInfo(label, next, userSign));
      }
    },
  }),
  flow('expired-session-not-revived', {
    title: 'Neither a call that is refused nor another sign-in revives an expired session',
    requirements: ['K-session-over-at-ttl'],
    advice: 'Leave the row of an expired session as it is, and look at its end at each read.',
    waitsMinutes: 2,
    async play(world) {
      const [revived, reopened] = ['expired-session-not-revived', 'expired-session-stays-over'];
      const linked = await world.linked();
      const { person, userSign } = linked;
      const short = await world.saved(linked, { ttl: world.ttl(1) });
      const long = { ...short, ttl: world.ttl(HOUR_MINUTES) };
      const given = await world.pendingFor({ person, session: long });
      // A server that takes no exchange token for a live session has none that could revive it.
      const isForOther = given.session !== long;
      const before = isForOther ? { ...given, exchangeToken: world.invented('exchange-token') } : given;
      const readAgain = () => world.getPatient('read after a call that was refused', short);
      await world.control(world.getPatient('read before', short));
      await world.advance(1, 1);
      await world.getPatient('read when it is over', short)();
      await world.control(world.signIn('sign in on another device', world.again(linked)));
      await world.refuses(world.getPatient('read after another sign-in', short), 'session_expired', revived);
      const use = world.authenticate('use an exchange token of before', before);
      const used = await world.refuses(use, undefined, reopened);
      if (used.result.kind === 'refused') await world.refuses(readAgain(), undefined, revived);
      const save = world.saveAuthInfo('save it again', long, userSign);
      const saved = await world.refuses(save, 'token_already_stored', reopened);
      if (used.result.kind === 'refused' && saved.result.kind === 'refused')
        await world.refuses(readAgain(), undefined, revived);
    },
    checks: {
      'expired-session-stays-over': {
        title: 'Neither an exchange token of before nor a repeated save opens an expired session again',
        requirements: ['2.3-token-of-one-session', '8-token-used-once'],
        advice: 'Keep the row of an expired session: its token stays taken, and the user gets a new one.',
      },
    },
  }),
  flow('session-not-lengthened', {
    title: 'Other saves and sign-ins of the user do not lengthen a session',
    requirements: ['K-session-over-at-ttl'],
    advice: 'Write the end of a session once, when it is stored; a repeated save leaves it.',
    waitsMinutes: 2,
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const check = 'session-not-lengthened';
      const of = (minutes: number) => world.session(session.user, minutes);
      const [alone, again, read] = [of(1), of(1), of(1)];
      for (const each of [alone, again, read]) await world.saved({ session, userSign }, each);
      await world.control(world.saveAuthInfo('save another', of(HOUR_MINUTES), userSign));
      const longer = { ...again, ttl: world.ttl(HOUR_MINUTES) };
      await world.saveAuthInfo('save one again for an hour', longer, userSign)();
      await world.control(world.signIn('sign in on another device', { person, session: of(HOUR_MINUTES) }));
      await world.advance(0, 50);
      await world.getPatient('read with one', read)();
      await world.advance(0, 15);
      await world.refuses(world.getPatient(ALONE, alone), 'session_expired', check);
      await world.refuses(world.getPatient('the one saved again', again), 'session_expired', check);
      await world.getPatient(READ_BEFORE, read)();
    },
    checks: {
      'reads-lengthen-nothing': {
        title: 'A read does not lengthen its session',
        requirements: ['2.3-ttl-lived'],
        explains: ['ttl-in-minutes', 'ttl-in-seconds', 'over-at-the-instant', 'expired-session-not-revived'],
        judge({ of }) {
          const [alone, read] = [of(ALONE), of(READ_BEFORE)];
          if (alone.result.kind === 'done' || read.result.kind !== 'done') return undefined;
          return {
            expected: 'the session ends at its ttl, as one that was not read',
            actual: 'it lives on',
            shownBy: [alone, read],
          };
        },
        advice:
          'Count the ttl from the moment of storing: it is the lifetime of the record, and not a pause.',
      },
    },
  }),
  flow('ttl-of-weeks', {
    title: 'A session of forty days lives so long, where the server takes it',
    requirements: ['3-authenticated', '2.3-ttl-lived'],
    advice:
      'Compare the clock with a stored end: a timer of more than 24 days fires at once in some languages.',
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.succeeds(world.getPatient('read with a session of an hour', session));
      const long = world.session(session.user, FORTY_DAYS_MINUTES);
      const { result } = await world.saveAuthInfo('save a session of forty days', long, userSign)();
      const read = async (label: string) => {
        const step = world.getPatient(label, long);
        await (result.kind === 'done' ? world.succeeds(step) : step());
      };
      await read('read with it');
      if (!world.parts.canAdvance) return;
      await world.advance(2 * DAY_MINUTES);
      await read('read with it two days later');
      await world.advance(37 * DAY_MINUTES);
      await read('read with it on its last day');
    },
  }),
  flow('spent-stays-spent', {
    title: 'Used, expired and ended tokens open nothing an hour and forty days later',
    requirements: ['D13-exchange-token-used-up', 'K-session-over-at-ttl'],
    advice: 'Look at the end of a token whenever it is used: what a clean-up deletes must not open again.',
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
        await world.authenticate('fail a match', exhausted, { properties })();
      }
      for (const minutes of [HOUR_LATER_MINUTES, FORTY_DAYS_MINUTES]) {
        await world.advance(minutes);
        await world.refuses(world.authenticate('use a used exchange token', used), 'exchange_token_unknown');
        await world.refuses(world.getPatient('read with its session', used.session));
        await world.refuses(world.authenticate('use an expired exchange token', late));
        await world.refuses(world.authenticate('use an exhausted exchange token', exhausted));
        await world.refuses(world.getPatient('read after the logout', loggedOut));
        await world.refuses(world.getPatient('read after the ttl', short));
      }
      const removed = await world.linked();
      await world.disconnected(removed);
      await world.advance(HOUR_LATER_MINUTES);
      await world.refuses(world.getPatient('read after the disconnect', removed.session));
      await world.control(world.signIn('link another patient'));
    },
  }),
];
