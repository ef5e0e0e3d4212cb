/** The flows in which something goes wrong: guesses, slips, lost answers, and an attack. */
import { CODE_LIFETIME_MS, MAX_FAILED_MATCHES, MAX_WRONG_CODES } from '#protocol/limits.ts';
import {
  identifies,
  identifiesWith,
  linkSteps,
  minutePasses,
  otherCode,
  reads,
  reports,
  type ScenarioScript,
  type ScenarioStep,
  signsIn,
  step,
  takesToken,
  triesCode,
} from './steps.ts';

export const refusals: readonly ScenarioScript[] = [
  {
    id: 'namesakes',
    title: 'Namesakes',
    sentence:
      'Two patients agree in every property, so neither is matched; the reply does not say that there are two.',
    persona: 'namesakes',
    steps: [
      signsIn,
      takesToken,
      step('tells who the patient is, and is refused', (actor) =>
        identifiesWith(actor, {}, 'patient_not_matched'),
      ),
    ],
  },
  {
    id: 'no-correspondence',
    title: 'No entry in the correspondence table',
    sentence:
      'The EHR server links the user, and the authorization server knows no internal user for the session.',
    persona: 'orphan',
    steps: [
      signsIn,
      takesToken,
      identifies,
      step('reports the link, and is refused', (actor) =>
        actor.refused('user_unknown', 'auth', 'auth.report_link', { user_sign: actor.userSign }),
      ),
    ],
  },
  {
    id: 'wrong-code',
    title: 'A wrong code',
    sentence: 'A code that is not the one of the message confirms nothing; the right one still does.',
    persona: 'boris',
    steps: [
      step('enters a wrong code, then the right one', async (actor) => {
        const code = await actor.requestCode();
        await triesCode(actor, otherCode(code), 'otp_wrong');
        await actor.confirm(code);
      }),
    ],
  },
  {
    id: 'save-reply-lost',
    title: 'The reply to a save is lost',
    sentence: 'The EHR server records the session and its reply is lost; a second report is no error.',
    steps: [
      signsIn,
      takesToken,
      identifies,
      step('loses the next reply on the internal channel', (actor) =>
        actor.arm({ wire: 'auth->ehr', fault: 'reply-lost', method: 'embedded_storage.save_auth_info' }),
      ),
      step('reports the link', (actor) =>
        // The authorization server may repeat its save by itself, or leave that to the client.
        actor.reportLink().catch(() => actor.reportLink()),
      ),
      reads,
    ],
  },
];

export const codes: readonly ScenarioScript[] = [
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

export const matching: readonly ScenarioScript[] = [
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

export const lost: readonly ScenarioScript[] = [
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

export const attacks: readonly ScenarioScript[] = [
  {
    id: 'taken-over',
    title: 'The authorization server is taken over',
    sentence: 'Its internal password opens no record: the signature of each user is needed, too.',
    steps: [...linkSteps, ...attackSteps],
  },
];
