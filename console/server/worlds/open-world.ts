/** Opens the world of a demo whose parties are programs of this machine, reached over HTTP. */
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { controlPort } from '../control-port.ts';
import type { DemoWorldOptions } from '../options.ts';
import { patientDataOf } from '../wires/identities.ts';
import { openWires } from '../wires/wires.ts';
import { DemoWorld } from './world.ts';

/** Starts the proxies. @throws Error that names the port that cannot be had */
export async function openWorld(options: DemoWorldOptions): Promise<DemoWorld> {
  const { ports, parties, apiVersion, seed, version, machineClock = systemClock } = options;
  const { internalUser, internalPassword } = options;
  const clock = movableClock(machineClock);
  const patientData = patientDataOf();
  const wires = await openWires({
    clock,
    internalUser,
    internalPassword,
    patientData,
    wires: {
      'client->auth': { target: parties.auth, port: ports.auth },
      'client->ehr': { target: parties.ehr, port: ports.ehr },
      'auth->ehr': { target: parties.internal, port: ports.internal },
    },
  });
  const { proxies } = wires;
  const path = apiVersion === '' ? '/' : `/${apiVersion}/`;
  return new DemoWorld({
    ...{ apiVersion, seed, version, clock, machineClock, patientData, wires },
    addresses: {
      client: parties.client,
      clientFrame: '/client/',
      auth: proxies['client->auth'].url,
      ehr: proxies['client->ehr'].url + path,
    },
    internal: { endpoint: proxies['auth->ehr'].url + path, user: internalUser, password: internalPassword },
    runtime: process.versions.node,
    ports: { ehr: controlPort(parties.ehrControl), auth: controlPort(parties.authControl) },
    fetch,
    outboxUrl: parties.auth,
    nextTurn: () => new Promise(setImmediate),
  });
}
