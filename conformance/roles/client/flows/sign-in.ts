/**
 * Checks of a client's sign-in, from the phone to the session, when the person makes mistakes: wrong codes,
 * another code, another phone (§1 rule 8). In `expect`, `sees(...)` names the screens to which a step may
 * lead; `told(...)` also requires a sentence there that says what is the matter, and without names it takes
 * any screen.
 */
import { type ClientCheck, callsIn, check, fault, sees, told } from '../check.ts';
import { people } from '../people/people.ts';

const { darya } = people;
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
];
