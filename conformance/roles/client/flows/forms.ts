/**
 * Checks of what a client makes of a form as people fill it in: empty fields, phones with signs, names of
 * several words, a gender of 0 or none (§2.5). In `expect`, `sees(...)` names the screens to which a step may
 * lead; `told(...)` also requires a sentence there that says what is the matter, and without names it takes
 * any screen.
 */
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientCheck, check, exchangesIn, fault, sees, told } from '../check.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { hasGender as carriesGender } from './every-step/params-rules.ts';

const { darya, maria } = people;

/** Whether a step sends authenticate with a gender that has a value. */
const hasGender = (step: PlayedStep) =>
  exchangesIn([step], `ehr ${EHR_METHODS.authenticate}`).some(carriesGender);

export const formChecks: readonly ClientCheck[] = [
  check({
    id: 'form-with-gaps-told',
    title: 'A form with an empty field is told, and the person fills in the rest',
    requirements: ['K-client-errors-told'],
    expect: { 'without a surname': told('form', 'error'), 'the whole form': sees('patient') },
    async play(world) {
      await world.signedIn();
      await world.fillForm('without a surname', { ...darya.form, surname: '' });
      await world.wayOn('the whole form');
    },
    advice: 'Say which field is missing, and leave the form open with what was typed.',
  }),
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
    id: 'form-without-gender',
    title: 'A form without a gender leads to the record, or the person is told that it is missing',
    requirements: ['K-client-errors-told'],
    expect: { 'without a gender': told('patient', 'form'), 'the way on': sees('patient') },
    async play(world) {
      const { gender: _, ...form } = darya.form;
      await world.signedIn();
      await world.fillForm('without a gender', form);
      await world.wayOn('the way on');
    },
    advice: 'Leave the member out where no gender was chosen; a made-up one fits nobody.',
  }),
  check({
    id: 'gender-zero-sent',
    title: 'A gender whose code is 0 is sent as any other',
    requirements: ['K-client-typed-kept'],
    expect: { 'gender 1': sees('form', 'error'), 'gender 0': sees('form', 'error') },
    async play(world) {
      await world.signedIn();
      await world.fillForm('gender 1', { ...fitsNobody, gender: 1 });
      await world.mustSee('the form again', ['form'], { do: 'readPatient' });
      await world.fillForm('gender 0', { ...fitsNobody, gender: 0 });
    },
    judge({ of }) {
      const [one, zero] = [of('gender 1'), of('gender 0')];
      const isLeftOut = hasGender(one) && !hasGender(zero);
      return isLeftOut && fault('"gender": 0', 'the member is left out, and 1 is sent', one, zero);
    },
    unshown: ({ of }) => (hasGender(of('gender 1')) ? undefined : 'the client sends no gender'),
    advice: 'Leave the gender out where none was chosen, and not where its code is 0, which counts as false.',
  }),
];
