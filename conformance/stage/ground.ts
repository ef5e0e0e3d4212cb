/** The ground of a run: the reference EHR server with its patients, and a tap on each way between the parties. */
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { inMemoryMis } from '#ehr-server/mis/in-memory.ts';
import type { Clock } from '#protocol/clock.ts';
import { systemRandom } from '#protocol/random.ts';
import { createLog } from '#service/log.ts';
import { Knowledge } from '../journal/knowledge.ts';
import { Recorder } from '../journal/recorder.ts';
import { startTap, type Tap } from '../tap/tap.ts';
import { PATIENTS, patientNumber, patientStems } from './people.ts';

export type GroundOptions = {
  internalUser: string;
  internalPassword: string;
  apiVersion: string;
  /** Where the tap listens that the server under test has as its EHR address. */
  ehrHost: string;
  ehrPort: number;
  /** Where the client-side taps listen, for people who click through their own app; free ports unless given. */
  clientToEhrPort?: number;
  clientToAuthPort?: number;
  clock: Clock;
};

export type Ground = {
  readonly recorder: Recorder;
  /** What the server under test must have as its EHR address, without the version segment. */
  readonly ehrUrlForServer: string;
  /** The public endpoint for clients, behind its tap. */
  readonly ehrEndpoint: string;
  readonly taps: { readonly authToEhr: Tap; readonly clientToEhr: Tap; readonly clientToAuth: Tap };
  close(): Promise<void>;
};

/** Nothing listens at port 9 of this machine: where the client-side tap points until the server under test is known. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Starts the reference EHR server and the taps.
 * @throws Error naming the port that cannot be had and the remedy
 */
export async function openGround(options: GroundOptions): Promise<Ground> {
  const { internalUser, internalPassword, apiVersion, ehrHost, ehrPort, clock } = options;
  const config = readEhrConfig([], {
    EHR_PORT: '0',
    EHR_INTERNAL_PORT: '0',
    EHR_DATABASE: ':memory:',
    EHR_API_VERSION: apiVersion,
    EHR_INTERNAL_USER: internalUser,
    EHR_INTERNAL_PASSWORD: internalPassword,
    EHR_ORIGINS: '',
    // The kit is one address that asks for many people.
    EHR_RATE_LIMIT: 'off',
  });
  if (!config) throw new Error('No settings were read.');
  const mis = inMemoryMis(Array.from({ length: PATIENTS }, (_, index) => patientNumber(index)));
  const ehr = await createEhr({ config, clock, random: systemRandom, log: createLog('ehr-server', 'silent'), mis });
  const recorder = new Recorder(clock, new Knowledge(internalUser, internalPassword, patientStems));
  const taps: Tap[] = [];
  const close = async () => {
    await Promise.all(taps.map((tap) => tap.stop()));
    await ehr.stop();
  };
  const tap = async (options: Omit<Parameters<typeof startTap>[0], 'recorder' | 'clock'>) => {
    const started = await startTap({ ...options, recorder, clock });
    taps.push(started);
    return started;
  };
  try {
    const authToEhr = await tap({ link: 'auth->ehr', target: ehr.internalUrl, host: ehrHost, port: ehrPort });
    const clientToEhr = await tap({ link: 'client->ehr', target: ehr.url, port: options.clientToEhrPort ?? 0 });
    const clientToAuth = await tap({ link: 'client->auth', target: NOWHERE, port: options.clientToAuthPort ?? 0 });
    return {
      recorder,
      ehrUrlForServer: authToEhr.url,
      ehrEndpoint: clientToEhr.url + ehr.endpoint.slice(ehr.url.length),
      taps: { authToEhr, clientToEhr, clientToAuth },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
