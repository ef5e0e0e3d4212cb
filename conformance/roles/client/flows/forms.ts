/** Checks of what a client makes of a form as people fill it in (§2.5). */
import { answers, type ClientCheck, callsIn, check, fault, sees, told } from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';

const { darya, maria } = people;
const AUTHENTICATE = `ehr ${EHR_METHODS.authenticate}`;

export const formChecks: readonly ClientCheck[] = [
  check({
    id: 'phone-as-people-write-it',
    title: 'A phone with signs or an extension leads to the record, or the person is told how to write it',
    requirements: ['K-client-errors-told'],
    expect: {
      'a phone with signs': told('patient', 'form'),
      'the way on': sees('patient'),
      'a phone with an extension': told('patient', 'form'),
      'the way on after it': sees('patient'),
    },
    async play(world) {
      await world.signedIn();
      // A client may refuse an extension, so that the signs are typed without one first.
      await world.fillForm('a phone with signs', { ...darya.form, phone: '+7 (916) 111-22-33' });
      await world.wayOn('the way on');
      await world.formAgain();
      await world.fillForm('a phone with an extension', {
        ...darya.form,
        phone: '+7 (916) 111-22-33 ext. 4',
      });
      await world.wayOn('the way on after it');
    },
    advice: 'Remove the extension, and everything but the digits, before the form is sent.',
  }),
  check({
    id: 'names-of-several-words',
    title: 'Names of several words lead to the record',
    requirements: ['2.5-names'],
    expect: { 'fills in the form': sees('patient') },
    async play(world) {
      await world.signedIn(maria);
      // Not every form has a choice for a gender that is not known, as hers is.
      await world.fillForm('fills in the form', { ...maria.form, gender: 1 });
    },
    advice: 'Send the texts of the form unchanged, in UTF-8.',
  }),
  check({
    id: 'form-sent-once',
    title: 'The form is sent once, however fast the person acts twice',
    requirements: ['K-client-acts-once'],
    expect: { 'twice at once': answers, 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      const sends = { do: 'fillForm', values: darya.form } as const;
      await world.act('twice at once', sends, sends);
      await world.wayOn('the way on');
    },
    judge({ of }) {
      const twice = of('twice at once');
      const times = callsIn(twice).filter((call) => call === AUTHENTICATE).length;
      return times > 1 && fault(`${AUTHENTICATE} once`, `${times} times`, twice);
    },
    unshown: ({ of }) =>
      callsIn(of('twice at once')).includes(AUTHENTICATE) ? undefined : 'no such call is made',
    advice: 'Ignore the action while the first one is under way.',
  }),
];
