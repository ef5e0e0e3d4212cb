/** Finds out whether a client can be judged at all. Wrong calls and screens are for the checks. */
import type { Diagnosis } from '../doctor/doctor.ts';
import { JournalView, type PlayedStep } from '../journal/view.ts';
import { callsIn, screenOf, seenIn } from './check.ts';
import { people } from './people.ts';
import type { ClientRun } from './run.ts';
import type { World } from './world.ts';

/** The scenario under which the journal keeps what the doctor did. */
const SCENARIO = 'set-up';

type Step = {
  id: Extract<Diagnosis['id'], `client-${string}`>;
  title: string;
  screen: string;
  /** A call that begins so must have come by now; without it there is nothing to judge. */
  calls: string;
  remedy: string;
};

const STEPS: readonly Step[] = [
  {
    id: 'client-code',
    title: 'The program answers, and asks the authorization server for a code',
    screen: 'code',
    calls: 'auth auth.request_otp',
    remedy:
      'Let client.command start a program that reads a JSON line for each action and writes one for each answer; ' +
      'for signIn it calls auth.request_otp at the address of the template authUrl.',
  },
  {
    id: 'client-form',
    title: 'After the code the client goes on to the form',
    screen: 'form',
    calls: 'auth auth.confirm_otp',
    remedy: 'For enterCode the program calls auth.confirm_otp with the phone and the code.',
  },
  {
    id: 'client-record',
    title: 'The client calls the EHR server, and shows the record in the end',
    screen: 'patient',
    calls: 'ehr ',
    remedy: 'Hand the template ehrUrl to the client: the address of the EHR server without its version segment.',
  },
];

/**
 * Examines the set-up. Stops where nothing could be judged: the program does not answer, or does not call a
 * server. Each diagnosis is reported as soon as it is known.
 */
export async function examineClient(run: ClientRun, onDiagnosis: (diagnosis: Diagnosis) => void): Promise<Diagnosis[]> {
  await run.play({ id: SCENARIO, title: 'Set-up', play });
  const journal = new JournalView(run.recorder.entries());
  const played = STEPS.map(({ id }) => journal.step({ scenario: SCENARIO, label: id }));
  const all: Diagnosis[] = [];
  for (const [at, step] of STEPS.entries()) {
    const diagnosis = diagnose(step, played.slice(0, at + 1));
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!diagnosis.ok) break;
  }
  return all;
}

function diagnose({ id, title, screen, calls, remedy }: Step, played: readonly (PlayedStep | undefined)[]): Diagnosis {
  const last = played.at(-1);
  const about = { id, title };
  if (last?.result.kind !== 'done') {
    return { ...about, ok: false, found: last ? seenIn(last) : 'it was not reached', remedy };
  }
  const isCalled = callsIn(...played.flatMap((each) => each ?? [])).some((call) => call.startsWith(calls));
  if (!isCalled) {
    const nobody = calls.trim() === 'ehr' ? 'the EHR server was not called' : `${calls.split(' ')[1]} was not called`;
    return { ...about, ok: false, found: `${nobody}, and ${seenIn(last)}`, remedy };
  }
  if (screenOf(last) === screen) return { ...about, ok: true, found: `the screen ${screen}` };
  return { ...about, ok: true, found: `${seenIn(last)}; the checks will tell why it is not ${screen}` };
}

async function play(world: World): Promise<void> {
  await world.act('client-code', { do: 'signIn', phone: people.darya.signIn });
  await world.enterCode('client-form');
  await world.fillForm('client-record');
}
