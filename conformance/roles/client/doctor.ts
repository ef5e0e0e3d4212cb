/** Finds out before a run whether a client can be driven and calls the kit's servers. */
import { isBlank } from '../../engine/journal/played-steps.ts';
import { JournalView, type PlayedStep } from '../../engine/journal/view.ts';
import type { Diagnosis } from '../../engine/role.ts';
import { flow } from './flow.ts';
import { people } from './people/people.ts';
import type { ClientRun } from './run.ts';
import { CALLS, callsIn, exchangesIn, screenOf, seenIn } from './seen.ts';
import type { ClientWorld } from './world.ts';

const SCENARIO = 'set-up';

/** A step of the doctor; `screen` is where a right client leads. */
type DoctorStep = {
  id: `client-${string}`;
  title: string;
  screen: string;
  /** Without it there is nothing to judge. `what` says what is missing. */
  needs?: { isMissing: (played: readonly PlayedStep[]) => boolean; what: string };
  remedy: string;
};

const STEPS: readonly DoctorStep[] = [
  {
    id: 'client-code',
    title: 'The client can be used, and asks the authorization server for a code',
    screen: 'code',
    needs: {
      isMissing: (played) => callsIn(...played).every((call) => !call.startsWith('auth ')),
      what: 'the authorization server was not called',
    },
    remedy:
      'Let client.command answer each line of JSON by one, or write the words of the page in browser.actions and ' +
      'browser.screens. For signIn the client calls auth.request_otp at the authUrl of the kit.',
  },
  {
    id: 'client-form',
    title: 'After the code the client goes on to the form',
    screen: 'form',
    remedy:
      'Let the client answer enterCode, too: by a line of JSON, or by one of the texts in browser.screens.',
  },
  {
    id: 'client-record',
    title: 'The client calls the EHR server, and shows the record in the end',
    screen: 'patient',
    needs: {
      isMissing: (played) =>
        isSignedIn(played) && callsIn(...played).every((call) => !call.startsWith('ehr ')),
      what: 'the EHR server was not called, although the person is signed in',
    },
    remedy:
      'Hand the template ehrUrl to the client: the address of the EHR server without its version segment.',
  },
];

/** Stops where nothing could be judged. */
export async function examineClient(
  run: ClientRun,
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  await run.play(flow(SCENARIO, { play, checks: {} }));
  const journal = new JournalView(run.recorder.entries());
  const played = STEPS.map(({ id }) => journal.step({ scenario: SCENARIO, label: id }));
  const all: Diagnosis[] = [];
  for (const [at, step] of STEPS.entries()) {
    const diagnosis = unread(played, step, journal) ?? diagnose(step, played.slice(0, at + 1));
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!diagnosis.ok) break;
  }
  return all;
}

/** Says that the kit can read no screen or tell none; undefined where it can, or a later step may show one. */
function unread(
  played: readonly (PlayedStep | undefined)[],
  { id, title }: DoctorStep,
  journal: JournalView,
): Diagnosis | undefined {
  const stopped = journal.ending(SCENARIO)?.stopped;
  const at = STEPS.findIndex((step) => step.id === id);
  if (stopped?.blame === 'harness' && !played[at])
    return { id, title, ok: false, found: stopped.because, remedy: TELL_APART };
  const isReached = ({ screen }: DoctorStep, of: number) => played[of] && screenOf(played[of]) === screen;
  if (at < STEPS.length - 1 || played[at]?.result.kind === 'failed' || STEPS.some(isReached))
    return undefined;
  const isEmpty = played.every((step) => !step || isBlank(step));
  const [found, remedy] = isEmpty ? ['no screen has a text that the kit can read', READS] : [NOWHERE, LOOK];
  return { id, title, ok: false, found, remedy };
}

const TELL_APART =
  'Write the words of the page in browser.actions, and in browser.screens texts that stand on one screen alone; browser.order says which screen counts.';
const NOWHERE = 'none of the screens code, form and patient was reached';
const LOOK =
  'Look whether browser.screens, or `sees` of the program, names what is shown; the lines above say what was seen.';
const READS =
  'The kit reads texts of the page, of open shadow roots and of frames. It reads no closed shadow root, canvas or picture: drive such a client by a program (client.command).';

const NOT_FOUND = 404;
const WRONG_ADDRESS =
  'The template ehrUrl is without the version segment, which the client appends once: /1.0-alpha/. The authUrl is used as it is.';

function diagnose(
  { id, title, screen, needs, remedy }: DoctorStep,
  soFar: readonly (PlayedStep | undefined)[],
): Diagnosis {
  const played = soFar.flatMap((each) => each ?? []);
  const last = soFar.at(-1);
  const seen = last ? seenIn(last) : 'it was not reached';
  if (last && last.result.kind !== 'done') return { id, title, ok: false, found: seen, remedy };
  if (needs?.isMissing(played)) return { id, title, ok: false, found: `${needs.what}, and ${seen}`, remedy };
  const exchanges = played.flatMap((step) => step.exchanges);
  // Where other calls of this server are answered, the address is right, and this is no call of a method.
  const isServed = (link: string) =>
    exchanges.some((each) => each.link === link && each.response && each.response.status !== NOT_FOUND);
  const lost = exchanges.find(({ response, link }) => response?.status === NOT_FOUND && !isServed(link));
  if (lost) {
    const found = `${lost.request.method} ${lost.request.path} was answered ${NOT_FOUND}, and ${seen}`;
    return { id, title, ok: false, found, remedy: WRONG_ADDRESS };
  }
  if (last && screenOf(last) === screen) return { id, title, ok: true, found: `the screen ${screen}` };
  return { id, title, ok: true, found: `${seen}; the checks will tell why it is not ${screen}` };
}

const isSignedIn = (played: readonly PlayedStep[]) =>
  exchangesIn(played, CALLS.confirmOtp).some(({ facts }) => facts.reply?.result);

async function play(world: ClientWorld): Promise<void> {
  await world.act('client-code', { do: 'signIn', phone: people.darya.signIn })();
  await world.enterCode('client-form')();
  await world.fillForm('client-record')();
}
