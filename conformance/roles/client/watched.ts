/**
 * Opens a watched session of a client: the kit plays both servers, and a person uses the client as they like.
 * No scenario is played.
 */
import { WATCHED, type Watched, type WatchPorts } from '../../engine/cli/watched.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import { metaOf } from '../../engine/journal/run-meta.ts';
import { people } from './people/people.ts';
import { configurationOf } from './public-configuration.ts';
import { type ClientRunOptions, recorderOf } from './run.ts';
import { callIn } from './servers/calls.ts';
import { Front } from './servers/front.ts';
import { VERSION } from './servers/servers.ts';

/** What a watched session needs. */
export type WatchedClientOptions = Omit<ClientRunOptions, 'env' | 'signal'> & {
  /** Where the kit listens as authorization server and as EHR server. */
  ports: Pick<WatchPorts, 'clientToAuth' | 'clientToEhr'>;
  /** Shows the person a sentence on the terminal during the session, such as the code of a sign-in. */
  tell: (sentence: string) => void;
};

/**
 * Opens both servers at the given ports, and records all messages of the client until the session is closed.
 * @throws Error that names a port which cannot be had
 */
export async function openWatchedClient(options: WatchedClientOptions): Promise<Watched> {
  const { clock, seed, random, ports, tell } = options;
  const { settings } = options.loaded;
  const startedAt = new Date(clock.now()).toISOString();
  const recorder = recorderOf(clock);
  const { clientToAuth: auth, clientToEhr: ehr } = ports;
  const front = await Front.open({ settings, recorder, clock, random, ports: { auth, ehr } });
  front.place = { scenario: WATCHED, step: NO_STEP };
  tellCodes(recorder, front, tell);
  return {
    recorder,
    instructions: `Watching ${settings.name}.
  Your client's address of the authorization server: ${front.urls.auth}
  Your client's EHR endpoint:                        ${front.urls.ehr}/${VERSION}/
Use your own client now, one person after another. The people whom both servers know:
${Object.values(people).map(line).join('\n')}
The code of each sign-in is told here. Ctrl-C ends the session and writes the report.`,
    meta: metaOf({
      ...{ startedAt, seed, role: 'client', target: settings.name, canAdvanceClock: false },
      configuration: configurationOf(settings),
    }),
    close() {
      recorder.stop();
      return front.close();
    },
  };
}

/** The number for messages that belong to no step: steps are numbered from 1. */
const NO_STEP = 0;

/** A person in one line of the instructions: what to type at the sign-in and into the form. */
const line = ({
  signIn,
  form: { name, surname, date, phone, gender },
}: (typeof people)[keyof typeof people]) =>
  `  sign in with ${signIn}; ${name} ${surname}, born ${date}, phone ${phone}, gender ${gender}`;

/**
 * Shows each code that was sent, in the place of the message on a phone, which the invented people do not
 * have.
 */
function tellCodes(recorder: Recorder, front: Front, tell: (sentence: string) => void): void {
  recorder.onEntry((entry) => {
    // A stray request is one of somebody else than the client, such as a page in the same browser.
    if (entry.kind !== 'exchange' || entry.facts.stray !== undefined) return;
    if (entry.facts.call?.method !== 'auth.request_otp') return;
    const params = callIn(entry.request.body)?.params as { phone?: unknown } | undefined;
    const code = front.servers.code(String(params?.phone ?? ''));
    if (code === undefined) return;
    front.handed.codes.add(code);
    tell(`A message has come to the phone: the code is ${code}`);
  });
}
