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
