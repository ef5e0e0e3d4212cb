/**
 * Checks of a client's sessions: a second person signs in, a session has a very short or long lifetime (ttl),
 * and every exchange token is refused. In `expect`, `sees(...)` names the screens to which a step may lead;
 * `told(...)` also requires a sentence there that says what is the matter, and without names it takes any
 * screen.
 */
import type { Check } from '../../../engine/check/check.ts';
import {
  answers,
  type ClientCheck,
  callsIn,
  check,
  checkOf,
  exchangesIn,
  fault,
  screenOf,
  sees,
  told,
} from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { AUTHENTICATE, CONFIRM, insteadOf, signIn, signSent } from './signs.ts';

const { wilhelm } = people;
const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;
const EXCHANGE = 'auth auth.exchange_token';
const RUN_OUT = 'the session has run out';
const WAY_ON = 'the way on';
const AFTER_RESTART = 'signs in after a restart';
/** 100 days: longer than any session that the kit's servers open. */
const SESSION_MINUTES = 100 * 24 * 60;
/** Exchange tokens for one form at most: a client may try twice, and ask twice for each try. */
const MAX_TOKENS = 4;
/** Milliseconds. A client that takes the ttl of 1 for a second has ended the session by then. */
const BEYOND_SECONDS_MS = 1_200;

export const sessionChecks: readonly ClientCheck[] = [
  check({
    id: 'user-sign-outlives-session',
    title: 'The user_sign is kept when the session runs out, and opens the record at the next sign-in',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    expect: { [RUN_OUT]: answers, [WAY_ON]: answers, [AFTER_RESTART]: answers },
    async play(world) {
      await world.linked();
      world.advance(SESSION_MINUTES);
      await world.press(RUN_OUT, 'readPatient');
      await world.wayOn(WAY_ON);
      await world.also('restarts', 'restart');
      await world.wayOn(AFTER_RESTART);
    },
    judge({ own }) {
      // Of the first link: a client that asks for the form again gets a second user_sign.
      const given = signIn(exchangesIn(own(), AUTHENTICATE).at(0)?.response?.body);
      const sent = signSent(own());
      if (sent === given) return undefined;
      const signIns = own().filter((step) => exchangesIn([step], CONFIRM).length > 0);
      return fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...signIns.slice(-1));
    },
    advice: 'A session that runs out ends no link: keep the user_sign, and send it with the next sign-in.',
  }),
  check({
    id: 'former-session-ended',
    title: 'When another person signs in without a logout of the first, the session of the first is ended',
    requirements: ['K-client-ends-former-session'],
    expect: { 'another signs in': told(), 'the way on': sees('patient') },
    async play(world) {
      await world.linked();
      const asked = await world.act('another signs in', { do: 'signIn', phone: wilhelm.signIn });
      if (asked.kind === 'done' && asked.values.sees === 'code') {
        await world.enterCode('another signs in', wilhelm);
        await world.wayOn('the way on', wilhelm);
      } else await world.wayOn('the way on');
    },
    judge({ all, own }) {
      const signed = all('another signs in');
      // The client did not let the second person in: there is no former session to end.
      if (signed.length < 2) return undefined;
      const calls = callsIn(...own());
      if (calls.includes(LOG_OUT) && calls.includes('auth auth.logout')) return undefined;
      const actual = calls.includes(LOG_OUT) ? 'it goes on at the authorization server' : 'it goes on';
      return fault('remove_auth_info and auth.logout of the first session', actual, ...signed);
    },
    advice: 'Log the first person out before another one signs in, or offer no sign-in until then.',
  }),
  check({
    id: 'ttl-in-minutes',
    title: 'A session with a ttl of 1 goes on after a second, and one with a ttl of ten years begins',
    requirements: ['K-client-ttl-unit'],
    expect: {
      'signs in': sees('form'),
      'a second later': sees('form', 'patient'),
      'signs in for ten years': sees('form'),
      'reads then': sees('form', 'patient'),
    },
    async play(world) {
      await world.askForCode();
      world.trouble('auth.confirm_otp', 'short-ttl');
      await world.enterCode('signs in');
      await world.wait(BEYOND_SECONDS_MS);
      await world.press('a second later', 'readPatient');
      await world.startOver();
      await world.askForCode();
      world.trouble('auth.confirm_otp', 'long-ttl');
      await world.enterCode('signs in for ten years');
      await world.press('reads then', 'readPatient');
    },
    advice: 'Count the ttl in minutes, or leave its end to the servers, which refuse then.',
  }),
  check({
    id: 'exchange-tokens-in-vain',
    title:
      'When every exchange token is refused, the person is told after a few, and comes to the record later',
    requirements: ['K-client-bounded', 'K-client-errors-told'],
    expect: { 'each one has expired': told(), 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      const reason = 'exchange_token_expired';
      await world.amid(
        EHR_METHODS.authenticate,
        { refuse: reason },
        () => world.fillForm('each one has expired'),
        MAX_REFUSALS,
      );
      await world.wayOn('the way on');
    },
    judge({ of }) {
      const step = of('each one has expired');
      const tokens = exchangesIn([step], EXCHANGE).length;
      if (tokens > MAX_TOKENS) return fault(`${MAX_TOKENS} exchange tokens at most`, `${tokens}`, step);
      return screenOf(step) === 'patient' && fault('no success', 'the record is shown', step);
    },
    advice: 'After one new exchange token tell the person, and keep what was typed.',
  }),
];

/** How many calls are refused: more than a client that never stops makes before the step's timeout. */
const MAX_REFUSALS = 200;

/** Judges the scenario `user-sign-outlives-session` once more: where the person gets without a restart. */
export const expiredSessionWayOn: Check = checkOf('user-sign-outlives-session', {
  id: 'expired-session-way-on',
  title:
    'A person whose session has run out at both servers is told, and comes to the record without a restart',
  requirements: ['K-client-errors-told'],
  expect: { [RUN_OUT]: told(), [WAY_ON]: sees('patient') },
  advice: 'Where the authorization server knows no session any more, ask for a new sign-in.',
});
