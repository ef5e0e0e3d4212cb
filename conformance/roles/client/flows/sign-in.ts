/**
 * Checks of a client's sign-in, from the phone to the session, when the person makes mistakes: wrong codes,
 * another code, another phone (§1 rule 8). In `expect`, `sees(...)` names the screens to which a step may
 * lead; `told(...)` also requires a sentence there that says what is the matter, and without names it takes
 * any screen.
 */
import { type ClientCheck, callsIn, check, fault, sees, told } from '../check.ts';
import { people } from '../people/people.ts';

const { darya, wilhelm } = people;
const REQUEST = 'auth auth.request_otp';
const CONFIRM = 'auth auth.confirm_otp';

/** The newest code of the person, and the same code with another last digit. */
function codesOf(world: { newestCode(phone: string): string }) {
  const right = world.newestCode(darya.signIn);
  return { right, wrong: right.replace(/\d$/, (digit) => String(9 - Number(digit))) };
}

export const signInChecks: readonly ClientCheck[] = [
  check({
    id: 'wrong-code-told',
    title: 'A wrong code is sent once and told, and the right one is taken afterwards',
    requirements: ['K-client-errors-told'],
    expect: { 'a wrong code': told('code'), 'the right code': sees('form') },
    async play(world) {
      await world.askForCode();
      const { wrong } = codesOf(world);
      await world.act('a wrong code', { do: 'enterCode', code: wrong });
      await world.enterCode('the right code');
    },
    judge({ of }) {
      const times = callsIn(of('a wrong code')).filter((call) => call === CONFIRM).length;
      return times !== 1 && fault('auth.confirm_otp once', `${times} times`, of('a wrong code'));
    },
    advice: 'Stay at the code after a wrong one, and say so. Each code that is sent counts as a try.',
  }),
  check({
    id: 'wrong-codes-in-a-row',
    title: 'After several wrong codes, and after a code that is used up, a new one leads to the form',
    requirements: ['K-client-errors-told'],
    expect: {
      'a wrong code': told('code', 'error', 'signedOut'),
      'the right code too late': told('code', 'error', 'signedOut'),
      'the code before': told('code', 'error', 'signedOut'),
      'signs in at last': sees('form'),
    },
    async play(world) {
      await world.askForCode();
      const { right, wrong } = codesOf(world);
      for (let turn = 0; turn < MAX_TRIES; turn++)
        await world.act('a wrong code', { do: 'enterCode', code: wrong });
      await world.act('the right code too late', { do: 'enterCode', code: right });
      await world.askForCode();
      await world.act('the code before', { do: 'enterCode', code: right });
      await world.askForCode();
      await world.enterCode('signs in at last');
    },
    advice: 'Say when a code cannot be used any more, and let the person ask for another.',
  }),
  check({
    id: 'code-errors-told-apart',
    title: 'A wrong code and a code that cannot be used any more are told by different texts',
    requirements: ['K-client-errors-told'],
    expect: { otp_wrong: told(), otp_expired: told(), otp_exhausted: told() },
    async play(world) {
      for (const reason of ['otp_wrong', 'otp_expired', 'otp_exhausted'] as const) {
        await world.askForCode();
        await world.amid('auth.confirm_otp', { refuse: reason }, () => world.enterCode(reason));
      }
    },
    judge({ of }) {
      const steps = [of('otp_wrong'), of('otp_expired'), of('otp_exhausted')];
      // The text after a wrong code, and the texts after codes that cannot be used any more.
      const [wrong, ...others] = steps.map(({ result }) =>
        result.kind === 'done' ? result.values.text : '',
      );
      return (
        others.includes(wrong) && fault('another text than for a wrong code', `the same: ${wrong}`, ...steps)
      );
    },
    advice:
      'After a wrong code the person types again; after the others they need a new code: say which it is.',
  }),
  check({
    id: 'another-code-on-request',
    title: 'The person can ask for another code, and comes to the form with it',
    requirements: ['K-client-corrections'],
    expect: { 'asks for another code': told('code'), 'enters the new code': sees('form') },
    async play(world) {
      await world.askForCode();
      await world.press('asks for another code', 'resend');
      await world.enterCode('enters the new code');
    },
    judge({ of }) {
      const asked = of('asks for another code');
      return (
        !callsIn(asked).includes(REQUEST) && fault('auth.request_otp', 'no other code is asked for', asked)
      );
    },
    advice: 'Messages get lost: offer to send another code, and call auth.request_otp again.',
  }),
  check({
    id: 'other-phone-before-code',
    title: 'A person who corrects the phone signs in with the second one',
    requirements: ['K-client-corrections'],
    expect: { 'the code of the second phone': sees('form') },
    async play(world) {
      await world.askForCode(wilhelm);
      await world.askForCode();
      await world.enterCode('the code of the second phone', darya);
    },
    advice: 'Send auth.confirm_otp with the phone for which the newest code was asked.',
  }),
];

/** Wrong codes after which the authorization server takes no code of this message any more. */
const MAX_TRIES = 5;
