/**
 * Checks of a client's sessions: a second person signs in, a session has a very short or long lifetime (ttl),
 * and every exchange token is refused. In `expect`, `sees(...)` names the screens to which a step may lead;
 * `told(...)` also requires a sentence there that says what is the matter, and without names it takes any
 * screen.
 */
import { type ClientCheck, callsIn, check, exchangesIn, fault, screenOf, sees, told } from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';

const { wilhelm } = people;
const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;
const EXCHANGE = 'auth auth.exchange_token';
/** Exchange tokens for one form at most: a client may try twice, and ask twice for each try. */
const MAX_TOKENS = 4;
/** Milliseconds. A client that takes the ttl of 1 for a second has ended the session by then. */
const BEYOND_SECONDS_MS = 1_200;

export const sessionChecks: readonly ClientCheck[] = [
  check({
    id: 'former-session-ended',
    title: 'When another person signs in without a logout of the first, the session of the first is ended',
    level: 'SHOULD',
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
    level: 'SHOULD',
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
