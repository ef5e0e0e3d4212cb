/** Further flows: guesses, lost answers, other devices, the way back, and an attack. */
import { CODE_LIFETIME_MS, MAX_FAILED_MATCHES, MAX_WRONG_CODES } from '#protocol/limits.ts';
import {
  disconnects,
  endsAtEhr,
  identifies,
  identifiesWith,
  linkSteps,
  logsOut,
  minutePasses,
  otherCode,
  reads,
  readsInVain,
  reports,
  type ScenarioScript,
  type ScenarioStep,
  signsIn,
  step,
  takesToken,
  triesCode,
} from './steps.ts';

const codes: readonly ScenarioScript[] = [
  {
    id: 'code-expired',
    title: 'A code that has expired',
    sentence: 'A code is good for five minutes; after them another one has to be sent.',
    persona: 'boris',
    steps: [
      step('enters the code five minutes late, and is refused', async (actor) => {
        const code = await actor.requestCode();
        await actor.advance(CODE_LIFETIME_MS);
        await triesCode(actor, code, 'otp_expired');
      }),
      signsIn,
    ],
  },
  {
    id: 'codes-guessed',
    title: 'Somebody guesses codes',
    sentence: 'Five wrong codes use up the right one, so that nobody can try them all.',
    persona: 'boris',
    steps: [
      step('enters five wrong codes, and then the right one in vain', async (actor) => {
        const code = await actor.requestCode();
        for (let tried = 0; tried < MAX_WRONG_CODES; tried++)
          await triesCode(actor, otherCode(code), 'otp_wrong');
        await triesCode(actor, code, 'otp_exhausted');
      }),
      minutePasses,
      signsIn,
    ],
  },
  {
    id: 'codes-in-a-row',
    title: 'Two codes in a row',
    sentence: 'Another code is sent only after half a minute, so that nobody is flooded with messages.',
    steps: [
      step('asks for a second code at once, and is refused', async (actor) => {
        await actor.requestCode();
        await actor.refused('otp_throttled', 'auth', 'auth.request_otp', { phone: actor.persona.signIn });
      }),
      minutePasses,
      signsIn,
    ],
  },
];

const wrongSurname = { surname: 'Nobody' };

const matching: readonly ScenarioScript[] = [
  {
    id: 'mistyped',
    title: 'A surname with a typing error',
    sentence: 'A patient who is not found may try again with the same exchange token.',
    steps: [
      signsIn,
      takesToken,
      step('mistypes the surname, and is refused', (actor) =>
        identifiesWith(actor, wrongSurname, 'patient_not_matched'),
      ),
      identifies,
      reports,
      reads,
    ],
  },
  {
    id: 'guesses-used-up',
    title: 'Somebody guesses a patient',
    sentence: 'Five failed matches use up an exchange token; the patient needs a new one.',
    steps: [
      signsIn,
      takesToken,
      step('gives a wrong surname five times, and is refused each time', async (actor) => {
        for (let tried = 0; tried < MAX_FAILED_MATCHES; tried++)
          await identifiesWith(actor, wrongSurname, 'patient_not_matched');
      }),
      step('gives the right one too late, and is refused', (actor) =>
        identifiesWith(actor, {}, 'exchange_token_exhausted'),
      ),
      takesToken,
      identifies,
    ],
  },
  {
    id: 'token-used-twice',
    title: 'An exchange token is used twice',
    sentence: 'An exchange token works once; whoever finds it later gets nothing for it.',
    steps: [
      ...linkSteps,
      step('shows the same exchange token again, and is refused', (actor) =>
        identifiesWith(actor, {}, 'exchange_token_unknown'),
      ),
    ],
  },
  {
    id: 'other-letter',
    title: 'Another letter of the alphabet',
    sentence: 'The patient is stored with ё and types е, and is matched all the same.',
    persona: 'alyoshin',
    steps: [...linkSteps, reads],
  },
  {
    id: 'other-keyboard',
    title: 'Accents of another keyboard',
    sentence: 'The accents are sent in other bytes than they are stored in, and the patient is matched.',
    persona: 'nunez',
    steps: [...linkSteps, reads],
  },
];

const lost: readonly ScenarioScript[] = [
  {
    id: 'ehr-away',
    title: 'The EHR server is away',
    sentence: 'Without the EHR server there is no exchange token, and the client is told why.',
    steps: [
      signsIn,
      step('loses the EHR server for one call of the internal channel', (actor) =>
        actor.arm({ wire: 'auth->ehr', fault: 'down' }),
      ),
      step('asks for an exchange token, and is refused', (actor) =>
        actor.refused('ehr_unreachable', 'auth', 'auth.exchange_token'),
      ),
      takesToken,
      identifies,
    ],
  },
  {
    id: 'authenticate-reply-lost',
    title: 'The answer to an identification is lost',
    sentence:
      'The EHR server links the user and its answer is lost; reading the record brings the signature.',
    steps: [
      signsIn,
      takesToken,
      step('loses the next answer of the EHR server', (actor) =>
        actor.arm({ wire: 'client->ehr', fault: 'reply-lost', method: 'embedded_storage.authenticate' }),
      ),
      step('tells who the patient is, and gets no answer', (actor) => identifiesWith(actor, {}, 'no reply')),
      reads,
      reports,
    ],
  },
];

const returns: readonly ScenarioScript[] = [
  {
    id: 'second-device',
    title: 'A second device',
    sentence:
      'Another device that kept nothing reads the record after its sign-in: the link belongs to the user.',
    steps: [
      ...linkSteps,
      minutePasses,
      step('signs in on another device, which kept nothing', (actor) => {
        actor.userSign = undefined;
        return actor.signIn();
      }),
      reads,
    ],
  },
  {
    id: 'return-after-logout',
    title: 'Back after logging out',
    sentence: 'Logging out ends the session and not the link: the next sign-in leads to the record.',
    steps: [...linkSteps, endsAtEhr, logsOut, minutePasses, signsIn, reads],
  },
  {
    id: 'linked-again',
    title: 'Linked again',
    sentence: 'After a disconnection the record is linked again like the first time, with a new signature.',
    steps: [...linkSteps, disconnects, minutePasses, ...linkSteps, reads],
  },
  {
    id: 'account-deleted',
    title: 'The account is deleted',
    sentence: 'The EHR server is told first, and then the authorization server forgets the user.',
    steps: [
      ...linkSteps,
      disconnects,
      step('has the account deleted at the authorization server', (actor) => actor.auth('auth.delete_user')),
      minutePasses,
      signsIn,
      readsInVain,
    ],
  },
];

const attackSteps: readonly ScenarioStep[] = [
  step('is attacked: a session is saved with the internal password alone, and refused', (actor) =>
    actor.stolenSave('a guess', 'not_authorized'),
  ),
  step('is attacked again: the record is asked for with that session, and refused', (actor) =>
    actor.stolenRead('not_authorized'),
  ),
  step('is attacked with the signature as well: the session is saved', (actor) =>
    actor.stolenSave(String(actor.userSign)),
  ),
  step('has the record read, because the signature was stolen too', (actor) => actor.stolenRead()),
];

const attacks: readonly ScenarioScript[] = [
  {
    id: 'taken-over',
    title: 'The authorization server is taken over',
    sentence: 'Its internal password opens no record: the signature of each user is needed, too.',
    steps: [...linkSteps, ...attackSteps],
  },
];

export const further: readonly ScenarioScript[] = [...codes, ...matching, ...lost, ...returns, ...attacks];
