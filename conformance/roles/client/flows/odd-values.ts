/**
 * Checks of values in replies that few people think of: markup and gaps in a record, tokens with signs beyond
 * ASCII. `sees(...)` names the screens to which a step may lead.
 */
import { type ClientCheck, check, fault, seenValue, sees } from '../check.ts';
import { markedRecord, sparseRecord } from '../people/odd-records.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';

/** The methods whose replies have a token, a user or a signature. */
const WITH_TOKENS = [
  ...['auth.confirm_otp', 'auth.exchange_token'],
  ...[EHR_METHODS.authenticate, EHR_METHODS.read],
];

export const oddValueChecks: readonly ClientCheck[] = [
  check({
    id: 'odd-records-shown',
    title: 'Markup and gaps in a record are shown as they came, and run nothing',
    requirements: ['K-client-texts-as-texts'],
    control: { 'reads the record': sees('patient') },
    expect: { 'a record with markup': sees('patient'), 'a record with gaps': sees('patient') },
    async play(world) {
      await world.linked();
      await world.press('reads the record', 'readPatient');
      world.recordChanges(markedRecord);
      await world.press('a record with markup', 'readPatient');
      world.recordChanges(sparseRecord);
      await world.press('a record with gaps', 'readPatient');
    },
    judge({ of }) {
      const [marked, sparse] = [of('a record with markup'), of('a record with gaps')];
      const markup = seenValue(marked, 'markup');
      if (markup === 'ran') return fault('markup as a text', 'the page ran it', marked);
      if (markup === undefined && seenValue(marked, 'record') === 'darya')
        return fault('the surname with its markup as a text', 'the markup is not shown', marked);
      const altered = [marked, sparse].find((step) => seenValue(step, 'altered') !== undefined);
      return (
        altered && fault('each value as it came', `${seenValue(altered, 'altered')} is another`, altered)
      );
    },
    unshown: ({ of }) =>
      seenValue(of('a record with markup'), 'record') === undefined
        ? 'the kit cannot read on the screen whose record it is'
        : undefined,
    advice: 'Show each value as a text, and nothing where there is none; never put it into HTML.',
  }),
  check({
    id: 'odd-tokens-sent-back',
    title: 'Tokens with blanks, quotes and signs beyond ASCII are sent back as they came',
    requirements: ['K-text-whole'],
    expect: {
      'signs in': sees('form'),
      'connects the record': sees('patient'),
      'reads the record': sees('patient'),
      'logs out': sees('signedOut'),
      'signs in again': sees('patient', 'form'),
    },
    async play(world) {
      for (const method of WITH_TOKENS) world.trouble(method, 'odd-tokens', 'always');
      await world.askForCode();
      await world.enterCode('signs in');
      await world.fillForm('connects the record', people.darya.form);
      await world.press('reads the record', 'readPatient');
      await world.settled();
      await world.press('logs out', 'logout');
      await world.signInAgain('signs in again');
    },
    advice: 'Keep a token as the text that it is, and write calls as JSON in UTF-8.',
  }),
];
