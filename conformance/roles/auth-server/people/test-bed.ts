/** The kit's own servers: its EHR server with patients, and recording proxies between the parties. */
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr, type Ehr } from '#ehr-server/index.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { createLog } from '#service/process/log.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import { type ProxyOptions, type RecordingProxy, startProxy } from '../../../engine/wire/proxy.ts';
import { measureSilences } from '../../../engine/wire/silences.ts';
import type { ServerTls } from '../../../engine/wire/tls-side.ts';
import { PATIENT_COUNT, patientNumber, patientStems } from './patients.ts';

export type TestBedOptions = {
  internalUser: string;
  internalPassword: string;
  apiVersion: string;
  /** Host of the proxy that the server under test uses as its EHR server. */
  ehrHost: string;
  ehrPort: number;
  /** Certificates of that proxy; plain HTTP unless given. */
  ehrTls?: ServerTls | undefined;
  /** Ports of the client-side proxies, for people who use their own app; free ports unless given. */
  clientToEhrPort?: number;
  clientToAuthPort?: number;
  /** Patient data that must not reach the authorization server: value to name. The kit's own unless given. */
  patientData?: ReadonlyMap<string, string> | undefined;
  clock: Clock;
};

export type TestBed = {
  readonly recorder: Recorder;
  /** The EHR address for the server under test, without the version segment. */
  readonly ehrUrlForServer: string;
  readonly apiVersion: string;
  /** Port of the EHR server itself. */
  readonly ehrPort: number;
  /** The public endpoint for clients, behind its proxy. */
  readonly ehrEndpoint: string;
  readonly proxies: {
    readonly authToEhr: RecordingProxy;
    readonly clientToEhr: RecordingProxy;
    readonly clientToAuth: RecordingProxy;
  };
  /** Measures how long the kit itself stood still; ends with the test bed. */
  readonly silences: Pick<ReturnType<typeof measureSilences>, 'longest' | 'pause'>;
  close(): Promise<void>;
};

/**
 * Draws until a signature begins with one special character of base64url and has the other, so that the first
 * link shows a server that loses or trims one.
 */
function signatureRandom(length: number): Uint8Array {
  for (;;) {
    const drawn = systemRandom(length);
    if (length < SIGNATURE_BYTES) return drawn;
    drawn[0] = ((drawn[0] as number) & 0b11) | FIRST_DASH;
    if (Buffer.from(drawn).toString('base64url').includes('_')) return drawn;
  }
}

/** The first byte, but for two bits, of what begins with a dash in base64url. */
const FIRST_DASH = 0b111110_00;

const SIGNATURE_BYTES = 32;

/** Nothing listens at port 9. The client-side proxy points there until the server under test is known. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Starts the EHR server and the proxies.
 * @throws Error that names the port that cannot be had, and the remedy
 */
export async function openTestBed(options: TestBedOptions): Promise<TestBed> {
  const { internalUser, internalPassword, apiVersion, ehrHost, ehrPort, clock } = options;
  const ehr = await startReferenceEhr(options);
  const recorder = new Recorder(
    clock,
    new Knowledge(internalUser, internalPassword, options.patientData ?? patientStems),
  );
  const silences = measureSilences(clock, (took) => recorder.silence(took));
  const started: RecordingProxy[] = [];
  const close = async () => {
    silences.stop();
    await Promise.all(started.map((proxy) => proxy.stop()));
    await ehr.stop();
  };
  const proxy = async (options: Omit<ProxyOptions, 'recorder' | 'clock'>) => {
    const one = await startProxy({ ...options, recorder, clock });
    started.push(one);
    return one;
  };
  try {
    const authToEhr = await proxy({
      link: 'auth->ehr',
      target: ehr.internalUrl,
      host: ehrHost,
      port: ehrPort,
      tls: options.ehrTls,
    });
    const clientToEhr = await proxy({
      link: 'client->ehr',
      target: ehr.url,
      port: options.clientToEhrPort ?? 0,
    });
    const clientToAuth = await proxy({
      link: 'client->auth',
      target: NOWHERE,
      port: options.clientToAuthPort ?? 0,
    });
    return {
      recorder,
      ehrUrlForServer: authToEhr.url,
      apiVersion,
      ehrPort: Number(new URL(ehr.url).port),
      ehrEndpoint: clientToEhr.url + ehr.endpoint.slice(ehr.url.length),
      proxies: { authToEhr, clientToEhr, clientToAuth },
      silences,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the EHR server that stands behind the proxies. */
function startReferenceEhr({
  internalUser,
  internalPassword,
  apiVersion,
  clock,
}: TestBedOptions): Promise<Ehr> {
  const config = readEhrConfig([], {
    EHR_PORT: '0',
    EHR_INTERNAL_PORT: '0',
    EHR_DATABASE: ':memory:',
    EHR_API_VERSION: apiVersion,
    EHR_INTERNAL_USER: internalUser,
    EHR_INTERNAL_PASSWORD: internalPassword,
    EHR_ORIGINS: '',
    // The kit makes the requests of many people from one address.
    EHR_RATE_LIMIT: 'off',
  });
  if (!config) throw new Error('No settings were read.');
  const mis = createMemoryMis(Array.from({ length: PATIENT_COUNT }, (_, index) => patientNumber(index)));
  return createEhr({ config, clock, random: signatureRandom, log: createLog('ehr-server', 'silent'), mis });
}
