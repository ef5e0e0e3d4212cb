/** Checks of lifetimes, and that the server's own clock counts (§2.3, §8, decisions 9 to 12). */
import type { About } from '../../../../engine/check/flow.ts';
import { check, done, type EhrCheck, entriesOf, labelled, refused } from '../../check.ts';

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
