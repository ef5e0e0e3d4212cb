/** The three parties of one world in this process, in memory, each server with a clock and a control port. */
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { openMis } from '#ehr-server/mis/open-mis.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { createClientServer } from '#mock-client/server.ts';
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { openControl } from '#service/http/control/control.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { createLog } from '#service/process/log.ts';
import { at, serverEnvironment } from '../run/server-environment.ts';
import type { WorldPorts, WorldsSetup } from './setup.ts';

/** Base URLs of the parties themselves, as the console needs them. */
export type WorldParties = {
  readonly urls: {
    readonly ehr: string;
    readonly internal: string;
    readonly auth: string;
    readonly client: string;
    readonly ehrControl: string;
    readonly authControl: string;
  };
  stop(): Promise<void>;
};

type PartiesSetup = Pick<
  WorldsSetup,
  'pagePort' | 'misDatabase' | 'internalUser' | 'internalPassword' | 'logLevel'
>;

type StopParty = () => Promise<unknown>;
type Environment = Readonly<Record<string, string>>;

/** @throws Error that says what is wrong, when a port is taken or the population cannot be opened */
export async function startParties(setup: PartiesSetup, ports: WorldPorts): Promise<WorldParties> {
  const stops: StopParty[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const env = {
      ...serverEnvironment(setup, ports.internal, [ports.client, setup.pagePort]),
      EHR_PORT: '0',
      EHR_INTERNAL_PORT: '0',
      EHR_DATABASE: ':memory:',
      AUTH_PORT: '0',
      AUTH_DATABASE: ':memory:',
    };
    const ehr = await startEhr(env, setup.logLevel, stops);
    const auth = await startAuth(env, setup.logLevel, stops);
    const client = await createClientServer({
      ehrUrl: at(ports.ehr),
      authUrl: at(ports.auth),
      smsUrl: `${at(ports.auth)}/sms`,
      port: ports.client,
    });
    stops.push(() => client.close());
    return { urls: { ...ehr, ...auth, client: client.url }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEhr(env: Environment, level: PartiesSetup['logLevel'], stops: StopParty[]) {
  const config = readEhrConfig([], env);
  if (!config) throw new Error('The settings of the EHR server are missing.');
  const log = createLog('ehr-server', level);
  const clock = movableClock(systemClock);
  const mis = await openMis(config, log);
  const ehr = await createEhr({ config, clock, random: systemRandom, log, mis });
  stops.push(() => ehr.stop());
  return {
    ehr: ehr.url,
    internal: ehr.internalUrl,
    ehrControl: await openControlOf(clock, ehr.controlRoutes, stops),
  };
}

async function startAuth(env: Environment, level: PartiesSetup['logLevel'], stops: StopParty[]) {
  const config = readAuthConfig([], env);
  if (!config) throw new Error('The settings of the authorization server are missing.');
  const clock = movableClock(systemClock);
  const auth = await createAuthServer({
    config,
    clock,
    random: systemRandom,
    log: createLog('auth-server', level),
  });
  stops.push(() => auth.stop());
  return { auth: auth.url, authControl: await openControlOf(clock, auth.controlRoutes, stops) };
}

async function openControlOf(
  clock: ReturnType<typeof movableClock>,
  routes: AddRoutes,
  stops: StopParty[],
): Promise<string> {
  const control = await openControl(clock, 0, '--control-port', routes);
  stops.push(() => control.stop());
  return control.url;
}
