/** The EHR server as a value: everything it needs is handed in, so a test runs it in its own process with its own clock. */
import { type Clock, systemClock } from '#protocol/clock.ts';
import { ehrMethods } from '#protocol/ehr-methods.ts';
import type { Channel } from '#protocol/pipeline.ts';
import type { Random } from '#protocol/random.ts';
import type { Exchange } from '#protocol/wire-guard.ts';
import { type Listening, listen } from '#service/listener.ts';
import { type Log, logCall } from '#service/log.ts';
import { startPurge } from '#service/purge.ts';
import { type EhrConfig, endpointPath } from './config.ts';
import type { Context } from './context.ts';
import { createHandler } from './handle.ts';
import { httpListener } from './http.ts';
import type { Mis } from './mis/mis.ts';
import { openStore } from './store/open-store.ts';

export type EhrParts = {
  config: EhrConfig;
  clock: Clock;
  random: Random;
  log: Log;
  /** Where patients are looked up; closed with the server. */
  mis: Mis;
  /** Sees every exchange, whole; for tests and the harness only. */
  observe?: (exchange: Exchange) => void;
};

export type Ehr = {
  /** Base URL of the public listener, without a trailing slash. */
  url: string;
  /** Base URL of the listener that serves the two save methods; the public one when there is no other. */
  internalUrl: string;
  /** The public JSON-RPC endpoint. */
  endpoint: string;
  /** Stops listening, finishes calls under way, writes what is pending, closes the databases. */
  stop(): Promise<void>;
};

const DAY = 86_400_000;

/**
 * Starts an EHR server.
 * @throws Error saying what is wrong and what to do, when a port is taken or a database cannot be opened
 */
export async function createEhr({ config, clock, random, log, mis, observe }: EhrParts): Promise<Ehr> {
  const store = await openStore(config);
  const closeStores = async () => {
    await store.close();
    await mis.close();
  };
  const context: Context = { store, mis, clock, random, config };
  const pipeline = createHandler(context, (report) => logCall(log, report, ehrMethods));
  const ready = async () => {
    await store.check();
    await mis.check();
  };
  // Connections drain in real time, whatever time the party itself is told.
  const open = (channel: Channel, port: number, portFlag: string) =>
    listen(httpListener({ config, pipeline, channel, log, ready, observe }), {
      host: config.host,
      port,
      portFlag,
      clock: systemClock,
    });
  const listeners: Listening[] = [];
  try {
    listeners.push(await open(config.internalPort === undefined ? 'any' : 'public', config.port, '--port (EHR_PORT)'));
    if (config.internalPort !== undefined) {
      listeners.push(await open('internal', config.internalPort, '--internal-port (EHR_INTERNAL_PORT)'));
    }
  } catch (error) {
    await stopAll(listeners);
    await closeStores();
    throw error;
  }
  const stopPurge = startPurge({
    purges: [
      { retention: config.retentionDays * DAY, batch: store.purge },
      { retention: config.auditRetentionDays * DAY, batch: store.purgeAudit },
    ],
    clock,
    log,
  });
  const [{ url }] = listeners as [Listening];
  return {
    url,
    internalUrl: listeners.at(-1)?.url ?? url,
    endpoint: url + endpointPath(config.apiVersion),
    async stop() {
      await stopAll(listeners);
      await stopPurge();
      await closeStores();
    },
  };
}

async function stopAll(listeners: readonly Listening[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.stop()));
}
