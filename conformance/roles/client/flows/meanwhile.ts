/** Checks of a client that still waits for a reply when the person logs out, or another signs in. */
import { type ClientCheck, check, fault, seenValue, sees } from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { HELD_MS } from '../servers/troubles.ts';
import { sees as isAt } from '../way-on.ts';
import type { ClientWorld } from '../world.ts';
import { nothingLeft } from './endings/forgetting.ts';

const { darya, wilhelm } = people;
/** The time (ms) after which a held reply has come, and the client has dealt with it. */
const UNTIL_HELD_REPLY_MS = HELD_MS + 200;
const READING = { do: 'readPatient' } as const;
const SENDING = { do: 'fillForm', values: darya.form } as const;

export const meanwhileChecks: readonly ClientCheck[] = [
  check({
    id: 'late-reply-after-logout',
    title: 'A reply that comes after a logout opens no session and shows no record',
    requirements: ['K-client-late-replies'],
    expect: {
      'opens it after the read': sees('signedOut', 'error', 'code'),
      'opens it after the form': sees('signedOut', 'error', 'code'),
    },
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      world.trouble(EHR_METHODS.read, 'held');
      await world.act('logs out while it is read', READING, { do: 'logout' });
      await world.endBy('is out', 'logout');
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.calm();
      await world.press('opens it after the read', 'readPatient');
      await world.disconnectElsewhere(darya);
      await world.startOver();
      await world.signedIn();
      world.trouble(EHR_METHODS.authenticate, 'held');
      await world.act('logs out while it is sent', SENDING, { do: 'logout' });
      await world.endBy('is out', 'logout');
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.calm();
      await world.press('opens it after the form', 'readPatient');
    },
    judge: ({ of }) => nothingLeft([of('opens it after the read'), of('opens it after the form')]),
    advice: 'Note for which session a call was made, and drop its reply when that session is over.',
  }),
  check({
    id: 'late-reply-after-other-sign-in',
    title: 'A reply for one person that comes when another has signed in is not shown',
    requirements: ['K-client-late-replies'],
    expect: { 'the other signs in': sees('form', 'error'), 'the other reads': sees('form', 'error') },
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      world.trouble(EHR_METHODS.read, 'held');
      const signIn = { do: 'signIn', phone: wilhelm.signIn } as const;
      const asked = await world.act('signs in while it is read', READING, signIn);
      if (!isAt(asked, 'code')) {
        // A client may ask the first person to log out before.
        await world.endBy('is out', 'logout');
        await world.askForCode(wilhelm);
      }
      await world.enterCode('the other signs in', wilhelm);
      await world.wait(UNTIL_HELD_REPLY_MS);
      await world.press('the other reads', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('the other signs in'), of('the other reads')];
      const shown = steps.find((step) => seenValue(step, 'record') === 'darya');
      return shown && fault('no record of the first person', 'it is shown', shown);
    },
    advice: 'Drop the reply to a call of another session, whoever is signed in when it comes.',
  }),
];
