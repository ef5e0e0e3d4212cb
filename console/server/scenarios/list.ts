/** The flows that the console plays, as data: each with its sentence, and each step with its own. */
import { type Persona, personas } from '#mis-fixtures/personas.ts';
import { further } from './further.ts';
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
  otherCode,
  reads,
  readsInVain,
  reports,
  type ScenarioScript,
  SECOND_MS,
  signsIn,
  step,
  takesToken,
  triesCode,
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

const refusals: readonly ScenarioScript[] = [
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
  ...further,
];

export function personaOf({ persona = 'anna' }: ScenarioScript): Persona {
  return personas[persona];
}

/** The name of the person who acts in a scenario, as the lanes show it. */
export function personName(scenario: ScenarioScript): string {
  return personaOf(scenario).typed[0].name.normalize('NFC');
}
