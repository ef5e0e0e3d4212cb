/** Worlds for one vitest test, at whose end they stop. */
import { onTestFinished } from 'vitest';
import { openEhrFetch } from '#mock-auth-server/ehr/ehr-tls.ts';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { openControl } from '#service/http/control.ts';
import type { Listening } from '#service/http/listener/listener.ts';
import { recordedLog } from '#service/process/testing-log.ts';
import type { Authority, CertificateFiles } from '#service/tls/testing-tls.ts';
import { ScriptedClient } from '../scripted-client.ts';
import { rejectViolations } from '../wire.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** The test fails when a message violated the contract. */
export async function useWorld(options?: WorldOptions): Promise<World> {
  const world = await startWorld(options);
  onTestFinished(async () => {
    await world.stop();
    rejectViolations(world.violations());
  });
  return world;
}

export type ControlledWorld = World & {
  readonly authClock: MovableClock;
  readonly ehrControl: Listening;
  readonly authControl: Listening;
};

/** The servers have their control ports and a clock each, as in the demo. */
export async function useControlledWorld(options: WorldOptions = {}): Promise<ControlledWorld> {
  const authClock = manualClock();
  const world = await startWorld({ ...options, authClock });
  const ehrControl = await openControl(world.clock, 0, '--control-port', world.ehr.controlRoutes);
  const authControl = await openControl(authClock, 0, '--control-port', world.auth.controlRoutes);
  onTestFinished(async () => {
    await Promise.all([ehrControl.stop(), authControl.stop()]);
    await world.stop();
  });
  return { ...world, authClock, ehrControl, authControl };
}

const PHONE = '79990000001';

type TlsSetup = {
  authority: Authority;
  /** The certificate of the authorization server on the internal channel. */
  client?: CertificateFiles;
  env?: Record<string, string>;
};

/** Over TLS, with client certificates on the internal channel. */
export async function useTlsWorld({ authority, client, env = {} }: TlsSetup) {
  const { log, lines } = recordedLog('debug');
  /** Returns a `fetch` that trusts the authority and presents a certificate if one is given. */
  const open = async (own?: CertificateFiles): Promise<typeof fetch> => {
    const trust = {
      ehrUrl: 'https://127.0.0.1',
      ehrCa: authority.ca,
      ehrClientCert: own?.cert,
      ehrClientKey: own?.key,
    };
    const way = await openEhrFetch(trust, manualClock(), log);
    if (!way) throw new Error('An authority was given, so there is a way.');
    onTestFinished(() => way.close());
    return way.fetch;
  };
  // A client that trusts the authority, like a device on which it is installed.
  const fetchOverTls = await open();
  const files = filesOf(await authority.issue('server'), authority.ca, client);
  const world = await startWorld({ log, fetchOverTls, env: { ...files, ...env } });
  onTestFinished(() => world.stop());
  return {
    ...world,
    open,
    internalEndpoint: world.ehr.endpoint.replace(world.ehr.url, world.ehr.internalUrl),
    client: new ScriptedClient(world, PHONE),
    logged: () => JSON.stringify(lines),
  };
}

function filesOf(server: CertificateFiles, ca: string, client?: CertificateFiles): Record<string, string> {
  return {
    EHR_TLS_CERT: server.cert,
    EHR_TLS_KEY: server.key,
    EHR_INTERNAL_TLS_CLIENT_CA: ca,
    AUTH_TLS_CERT: server.cert,
    AUTH_TLS_KEY: server.key,
    AUTH_EHR_CA: ca,
    ...(client && { AUTH_EHR_CLIENT_CERT: client.cert, AUTH_EHR_CLIENT_KEY: client.key }),
  };
}
