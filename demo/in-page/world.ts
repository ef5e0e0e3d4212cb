/** The whole demo in one page: three parties, the wires between them, and the console that shows them. */

import { DemoWorld } from '#console/server/demo-world.ts';
import { patientDataOf } from '#console/server/wires/identities.ts';
import { openMemoryWires } from '#console/server/wires/memory-wires.ts';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { SEED } from '../prepare/seed.ts';
import { API_VERSION, AUTH_URL, EHR_URL, INTERNAL_URL, OUTBOX_URL } from './addresses.ts';
import { openAuth, openEhr, served } from './servers.ts';

const ENDPOINT = `/${API_VERSION}/`;

export type PageWorldOptions = {
  clientFrame: string;
  machineClock: Clock;
  random: Random;
  version: string;
  runtime: string;
};

export type PageWorld = {
  world: DemoWorld;
  /** The network of the page: both servers over their wires. @throws TypeError for any other address */
  fetch: typeof fetch;
};

export function openPageWorld({
  clientFrame,
  machineClock,
  random,
  version,
  runtime,
}: PageWorldOptions): PageWorld {
  const credentials = { internalUser: 'auth-server', internalPassword: 'internal-password' };
  const parts = { machineClock, random, apiVersion: API_VERSION, ...credentials };
  const clock = movableClock(machineClock);
  const patientData = patientDataOf();
  const ehr = openEhr(parts);
  const toEhr: typeof fetch = (...given) => wires.proxies['auth->ehr'].fetch(...given);
  const auth = openAuth(parts, { url: INTERNAL_URL, fetch: toEhr });
  const wires = openMemoryWires({
    ...credentials,
    clock,
    patientData,
    wires: {
      'client->auth': { url: AUTH_URL, answer: served(auth.pipeline, '/', 'public') },
      'client->ehr': { url: EHR_URL, answer: served(ehr.pipeline, ENDPOINT, 'public') },
      'auth->ehr': { url: INTERNAL_URL, answer: served(ehr.pipeline, ENDPOINT, 'internal') },
    },
  });
  const network = new Map([
    [AUTH_URL, wires.proxies['client->auth'].fetch],
    [EHR_URL, wires.proxies['client->ehr'].fetch],
    [INTERNAL_URL, wires.proxies['auth->ehr'].fetch],
    [OUTBOX_URL, auth.fetchOutbox],
  ]);
  const fetchThere: typeof fetch = async (address, init) => {
    const reach = network.get(new URL(String(address)).origin);
    if (!reach) throw new TypeError(`Nothing in this page has the address ${String(address)}.`);
    return reach(address, init);
  };
  const world = new DemoWorld({
    ...{ version, runtime, clock, machineClock, patientData, wires },
    addresses: { client: '', clientFrame, auth: AUTH_URL, ehr: EHR_URL + ENDPOINT },
    isInPage: true,
    internal: {
      endpoint: INTERNAL_URL + ENDPOINT,
      user: credentials.internalUser,
      password: credentials.internalPassword,
    },
    apiVersion: API_VERSION,
    seed: SEED,
    ports: { ehr: ehr.control, auth: auth.control },
    fetch: fetchThere,
    outboxUrl: OUTBOX_URL,
    nextTurn: async () => undefined,
  });
  return { world, fetch: fetchThere };
}
