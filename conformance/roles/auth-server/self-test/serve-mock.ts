/** Runs the mock, right or with a defect, in this process; its database outlives a restart. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestInit } from 'undici';
import { type AuthConfig, readAuthConfig } from '#mock-auth-server/config.ts';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import { seededRandom, systemRandom } from '#protocol/time/random.ts';
import { openControl } from '#service/http/control.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { createLog } from '#service/process/log.ts';
import { BufferedOutput } from '../../../engine/defects/buffered-output.ts';
import { SELF_TEST_PASSWORD, SELF_TEST_USER } from '../defects/calls.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { ServerDies } from '../defects/trouble.ts';
import { startWrongMock } from '../defects/wrong-mock.ts';
import type { ServedInProcess } from '../server-under-test.ts';
import { AUTHORITY, CLIENT, connectionOf, type TlsVariant } from './certificates.ts';

type ServeParts = { ehrUrl: string; clock: Clock; seed: number };

/** More than any person asks for, so that the cap never stops a scenario. */
const CODES_PER_DAY = 40;

/** Pause (seconds) between two codes to one phone; not zero, so that pauses are tested as well. */
export const RESEND_AFTER_SECONDS = 30;

/** Limits (ms) calls to the EHR server: enough for a slow machine, short where one must time out. */
const EHR_TIMEOUT_MS = '1500';

/** Starts the mock for a variant. With the seed 0 its codes and tokens are really random. */
export async function serveMock(
  variant: AuthVariant,
  { ehrUrl, clock, seed }: ServeParts,
): Promise<ServedInProcess> {
  const movable = movableClock(clock);
  const random = seed === 0 ? systemRandom : seededRandom(seed);
  const { tls, fetch: vary } = variant;
  const connect = tls && tls !== 'checked' ? await connectingAs(tls) : undefined;
  const output = new BufferedOutput();
  const start = async (directory: string, port: number, controlPort: number) => {
    const config = configOf(variant, ehrUrl, directory, port);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= server.stop();
      return stopped;
    };
    const parts = {
      config,
      clock: movable,
      random,
      log: createLog('variant', 'info', { write: output.print }),
      ...(connect && { fetch: connect }),
    };
    const change = {
      ...variant,
      ...(vary && { fetch: (send, seen) => dying(vary(send, seen), stop) }),
    } satisfies AuthVariant;
    const server = await startWrongMock(parts, change, output.print);
    const control = await openControl(movable, controlPort, 'the control port', server.controlRoutes);
    return {
      port: server.port,
      controlPort: control.port,
      async close() {
        await control.stop();
        await stop();
      },
    };
  };
  return { ...(await startRestartable(start)), output: output.passTo };
}

/** The settings of the mock; those of the variant (`env`) come last and win. */
function configOf({ tls, env }: AuthVariant, ehrUrl: string, directory: string, port: number): AuthConfig {
  const config = readAuthConfig([], {
    AUTH_PORT: String(port),
    AUTH_DATABASE: join(directory, 'auth.sqlite'),
    AUTH_RATE_LIMIT: 'off',
    AUTH_EHR_URL: ehrUrl,
    AUTH_EHR_TIMEOUT: EHR_TIMEOUT_MS,
    AUTH_OTP_RESEND_AFTER: String(RESEND_AFTER_SECONDS),
    AUTH_OTP_PER_DAY: String(CODES_PER_DAY),
    AUTH_WITHOUT_CORRESPONDENCE: '79995550000',
    EHR_INTERNAL_USER: SELF_TEST_USER,
    EHR_INTERNAL_PASSWORD: SELF_TEST_PASSWORD,
    ...(tls === 'checked' && certificateFiles(directory)),
    ...env,
  });
  if (!config) throw new Error('No settings were read.');
  return config;
}

function certificateFiles(directory: string): Record<string, string> {
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  return {
    AUTH_EHR_CA: file('ca.pem', AUTHORITY),
    AUTH_EHR_CLIENT_CERT: file('client.pem', CLIENT.cert),
    AUTH_EHR_CLIENT_KEY: file('client-key.pem', CLIENT.key),
  };
}

/** Each call has a connection of its own, so that each verifies the certificate. */
async function connectingAs(variant: TlsVariant): Promise<typeof fetch> {
  const { Agent, fetch: undiciFetch } = await import('undici');
  const dispatcher = new Agent({ connect: connectionOf(variant), pipelining: 0 });
  const send = (url: string, init: RequestInit) => undiciFetch(url, { ...init, dispatcher });
  // undici and the platform declare the same standard with different types.
  return send as unknown as typeof fetch;
}

type Started = { port: number; controlPort?: number | undefined; close: () => Promise<void> };

async function startRestartable(
  start: (directory: string, port: number, controlPort: number) => Promise<Started>,
): Promise<ServedInProcess> {
  const directory = temporaryDirectory('ehr-self-test-');
  let server = await start(directory, 0, 0);
  const { port, controlPort = 0 } = server;
  return {
    ports: { auth: port, control: controlPort },
    async restart() {
      await server.close();
      server = await start(directory, port, controlPort);
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes a `fetch` for a variant that dies at a call: when the call throws ServerDies, the server stops. */
function dying(send: typeof fetch, stop: () => unknown): typeof fetch {
  return async (...args) => {
    try {
      return await send(...args);
    } catch (error) {
      if (error instanceof ServerDies) void stop();
      throw error;
    }
  };
}
