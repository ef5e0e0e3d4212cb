/** Further flows: lost answers, other devices, the way back, and an attack. */
import { guesses, identifiesWith } from './guesses.ts';
import {
  disconnects,
  endsAtEhr,
  identifies,
  link,
  logsOut,
  minutePasses,
  type PlayedScenario,
  reads,
  readsInVain,
  reports,
  type ScenarioStep,
  signIn,
  step,
  takesToken,
} from './steps.ts';

const lost: readonly PlayedScenario[] = [
  {
    id: 'ehr-away',
    title: 'The EHR server is away',
    sentence: 'Without the EHR server there is no exchange token, and the client is told why.',
    persona: 'anna',
    steps: [
      signIn,
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
    persona: 'anna',
    steps: [
      signIn,
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

const returns: readonly PlayedScenario[] = [
  {
    id: 'second-device',
    title: 'A second device',
    sentence:
      'Another device that kept nothing reads the record after its sign-in: the link belongs to the user.',
    persona: 'anna',
    steps: [
      ...link,
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
    persona: 'anna',
    steps: [...link, endsAtEhr, logsOut, minutePasses, signIn, reads],
  },
  {
    id: 'linked-again',
    title: 'Linked again',
    sentence: 'After a disconnection the record is linked again like the first time, with a new signature.',
    persona: 'anna',
    steps: [...link, disconnects, minutePasses, ...link, reads],
  },
  {
    id: 'account-deleted',
    title: 'The account is deleted',
    sentence: 'The EHR server is told first, and then the authorization server forgets the user.',
    persona: 'anna',
    steps: [
      ...link,
      disconnects,
      step('has the account deleted at the authorization server', (actor) => actor.auth('auth.delete_user')),
      minutePasses,
      signIn,
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

const attacks: readonly PlayedScenario[] = [
  {
    id: 'taken-over',
    title: 'The authorization server is taken over',
    sentence: 'Its internal password opens no record: the signature of each user is needed, too.',
    persona: 'anna',
    steps: [...link, ...attackSteps],
  },
];

export const further: readonly PlayedScenario[] = [...guesses, ...lost, ...returns, ...attacks];
