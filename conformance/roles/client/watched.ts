/** A watched session of a client: the kit plays both servers, and a person uses the client as they like. */
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { WATCHED, type Watched, type WatchPorts } from '../../engine/cli/watched.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { metaOf } from '../../engine/journal/run-meta.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import { canaries, hashedTexts, people } from './people/people.ts';
import { configurationOf } from './public-configuration.ts';
import { Front } from './servers/front.ts';
import { callIn } from './servers/messages.ts';
import { INTERNAL, openServers, type Servers, VERSION } from './servers/servers.ts';
import { visitorsOf } from './servers/visitors.ts';
import type { LoadedClientFile } from './settings.ts';

export type WatchedClientOptions = {
  loaded: LoadedClientFile;
  clock: Clock;
  seed: number;
  random: Random;
  ports: Pick<WatchPorts, 'clientToAuth' | 'clientToEhr'>;
  /** Tells the person something during the session, such as a code. */
  tell: (sentence: string) => void;
};

/**
 * Opens both servers at the ports.
 * @throws Error that names a port which cannot be had
 */
export async function openWatchedClient(options: WatchedClientOptions): Promise<Watched> {
  const { clock, seed, random, ports, tell } = options;
  const { settings } = options.loaded;
  const startedAt = new Date(clock.now()).toISOString();
  const recorder = new Recorder(
    clock,
    new Knowledge(INTERNAL.user, INTERNAL.password, canaries(), hashedTexts()),
  );
  const servers = await openServers(movableClock(clock), random);
  const front = await Front.open({
    servers,
    recorder,
    clock,
    ports: { auth: ports.clientToAuth, ehr: ports.clientToEhr },
    host: settings.person?.host ?? '127.0.0.1',
    visitors: visitorsOf(settings),
  }).catch(async (error: unknown) => {
    await servers.close();
    throw error;
  });
  front.place = { scenario: WATCHED, step: NO_STEP };
  tellCodes({ recorder, servers, front, tell });
  const { auth, ehr } = front.urls;
  return {
    recorder,
    instructions: `Watching ${settings.name}.
  Your client's address of the authorization server: ${auth}
  Your client's EHR endpoint:                        ${ehr}/${VERSION}/
Use your own client now, one person after another. The people whom both servers know:
${Object.values(people).map(line).join('\n')}
The code of each sign-in is told here. Ctrl-C ends the session and writes the report.`,
    meta: metaOf({
      startedAt,
      seed,
      role: 'client',
      target: settings.name,
      configuration: configurationOf(settings),
      canAdvanceClock: false,
    }),
    async close() {
      recorder.stop();
      await front.close();
      await servers.close();
    },
  };
}

/** Steps are numbered from 1. */
const NO_STEP = 0;

const line = ({
  signIn,
  form: { name, surname, date, phone, gender },
}: (typeof people)[keyof typeof people]) =>
  `  sign in with ${signIn}; ${name} ${surname}, born ${date}, phone ${phone}, gender ${gender}`;

type Telling = { recorder: Recorder; servers: Servers; front: Front } & Pick<WatchedClientOptions, 'tell'>;

/** Tells each code that was sent, as a message on the phone would. */
function tellCodes({ recorder, servers, front, tell }: Telling): void {
  recorder.onEntry((entry) => {
    if (entry.kind !== 'exchange' || entry.facts.stray !== undefined) return;
    if (entry.facts.call?.method !== 'auth.request_otp') return;
    const params = callIn(entry.request.body)?.params as { phone?: unknown } | undefined;
    const code = servers.code(String(params?.phone ?? ''));
    if (code === undefined) return;
    front.handed.codes.add(code);
    tell(`A message has come to the phone: the code is ${code}`);
  });
}
