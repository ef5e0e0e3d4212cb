/** Finds out whether a client can be judged at all: its program, and its way to the record. */
import type { Diagnosis } from '../doctor/doctor.ts';
import { JournalView } from '../journal/view.ts';
import { callsIn, screenOf, seenIn } from './check.ts';
import { people } from './people.ts';
import type { ClientRun } from './run.ts';
import type { World } from './world.ts';

/** The scenario under which the journal keeps what the doctor did. */
const SCENARIO = 'set-up';

const STEPS = [
  {
    id: 'client-code',
    title: 'The program answers, and asks the authorization server for a code',
    screen: 'code',
    call: 'auth auth.request_otp',
    remedy: 'Let client.command start a program that reads a JSON line for each action and writes one for each answer.',
  },
  {
    id: 'client-form',
    title: 'After the code the client asks for the record, and shows the form',
    screen: 'form',
    call: 'ehr patient.get_patient',
    remedy:
      'Hand the templates authUrl and ehrUrl to the client; the address of the EHR server is without its version segment.',
  },
  {
    id: 'client-record',
    title: 'After the form the client shows the record',
    screen: 'patient',
    call: 'ehr embedded_storage.authenticate',
    remedy: 'Look at the calls of this step in the report: the EHR server refused one, or the client made none.',
  },
] as const;

/** Examines the set-up; stops at the first problem. Each diagnosis is reported as soon as it is known. */
export async function examineClient(run: ClientRun, onDiagnosis: (diagnosis: Diagnosis) => void): Promise<Diagnosis[]> {
  await run.play({ id: SCENARIO, title: 'Set-up', play });
  const journal = new JournalView(run.recorder.entries());
  const all: Diagnosis[] = [];
  for (const { id, title, screen, call, remedy } of STEPS) {
    const played = journal.step({ scenario: SCENARIO, label: id });
    const isThere = played !== undefined && screenOf(played) === screen && callsIn(played).includes(call);
    const found = isThere ? `the screen ${screen}` : played ? seenIn(played) : 'it was not reached';
    const missing = played && screenOf(played) === screen ? `, and there was no call ${call}` : '';
    const about = { id, title, found: `${found}${missing}` };
    const diagnosis: Diagnosis = isThere ? { ok: true, ...about } : { ok: false, ...about, remedy };
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!isThere) break;
  }
  return all;
}

async function play(world: World): Promise<void> {
  await world.act('client-code', { do: 'signIn', phone: people.darya.signIn });
  await world.enterCode('client-form');
  await world.fillForm('client-record');
}
