/** Checks that what is used up, ended or over at an EHR server stays so hours and weeks later. */
import { check, type EhrCheck, refused } from '../../check.ts';

/** Beyond each limit of an hour. */
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
