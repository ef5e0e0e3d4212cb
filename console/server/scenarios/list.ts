/** The flows that the console plays, as data: each with its sentence, and each step with its own. */
import { type Persona, personas } from '#mis-fixtures/personas.ts';
import { attacks, codes, lost, matching, refusals } from './mishaps.ts';
import {
  DAY_MS,
  disconnects,
  endsAtEhr,
  identifies,
  identifiesWith,
  linkSteps,
  logsOut,
  MINUTE_MS,
  minutePasses,
  reads,
  readsInVain,
  reports,
  type ScenarioScript,
  SECOND_MS,
  signsIn,
  step,
  takesToken,
} from './steps.ts';

/** Number of the twin among those of the persona, from 0. */
const OTHER_TWIN = 1;

const linking: readonly ScenarioScript[] = [
  {
    id: 'first-link',
    title: 'The first link',
    sentence:
      'A new user links the record: patient data goes to the EHR server alone, by means of an exchange token.',
    steps: [signsIn, readsInVain, takesToken, identifies, reports, reads],
  },
  {
    id: 'returning-user',
    title: 'A returning user',
    sentence: 'A linked user signs in again, and the authorization server saves the session at once.',
    steps: [...linkSteps, minutePasses, signsIn, reads],
  },
  {
    id: 'twins',
    title: 'Twins with one phone',
    sentence: 'The given name decides which of the two is matched, and the user can then link no other.',
    persona: 'twins',
    steps: [
      ...linkSteps,
      takesToken,
      step('tells the name of the other twin, and is refused', (actor) =>
        actor.refused(
          'patient_already_matched',
          'ehr',
          'embedded_storage.authenticate',
          actor.identification(OTHER_TWIN),
        ),
      ),
    ],
  },
];

const time: readonly ScenarioScript[] = [
  {
    id: 'token-in-time',
    title: 'An exchange token in its last second',
    sentence: 'One second before its ten minutes have run out, an exchange token still works.',
    steps: [
      signsIn,
      takesToken,
      // A further second is left for the steps themselves.
      step('waits until one second before the end', (actor) => actor.advance(10 * MINUTE_MS - 2 * SECOND_MS)),
      identifies,
    ],
  },
  {
    id: 'token-expired',
    title: 'An exchange token that has expired',
    sentence: 'After ten minutes an exchange token is refused, and a new one works.',
    steps: [
      signsIn,
      takesToken,
      step('waits for ten minutes', (actor) => actor.advance(10 * MINUTE_MS)),
      step('identifies too late, and is refused', (actor) =>
        identifiesWith(actor, {}, 'exchange_token_expired'),
      ),
      takesToken,
      identifies,
    ],
  },
  {
    id: 'session-expired',
    title: 'A session that has expired',
    sentence: 'After a day the session is refused; the link stays, and the next sign-in leads to the record.',
    steps: [
      ...linkSteps,
      step('waits for a day', (actor) => actor.advance(DAY_MS)),
      step('asks for the record, and is refused', (actor) =>
        actor.refused('session_expired', 'ehr', 'patient.get_patient'),
      ),
      signsIn,
      reads,
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

const endings: readonly ScenarioScript[] = [
  {
    id: 'logout',
    title: 'Logging out',
    sentence: 'The session ends at the EHR server first, and only then at the authorization server.',
    steps: [
      ...linkSteps,
      endsAtEhr,
      logsOut,
      step('asks for the record, and is refused', (actor) =>
        actor.refused('not_authorized', 'ehr', 'patient.get_patient'),
      ),
    ],
  },
  {
    id: 'disconnect',
    title: 'Disconnecting the record',
    sentence: 'The link goes with its signature and all sessions; the next sign-in finds no record.',
    steps: [...linkSteps, disconnects, minutePasses, signsIn, readsInVain],
  },
];

export const scenarios: readonly ScenarioScript[] = [
  ...linking,
  ...time,
  ...refusals,
  ...endings,
  ...codes,
  ...matching,
  ...lost,
  ...returns,
  ...attacks,
];

export function personaOf({ persona = 'anna' }: ScenarioScript): Persona {
  return personas[persona];
}

/** The name of the person who acts in a scenario, as the lanes show it. */
export function personName(scenario: ScenarioScript): string {
  return personaOf(scenario).typed[0].name.normalize('NFC');
}
