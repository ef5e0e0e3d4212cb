/**
 * The EHR server as a function of its parts, so that a test runs it in its own process with its own clock.
 */

import type { RequestListener } from 'node:http';
import { FAILED_MATCH_WINDOW_MS } from '#protocol/limits.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { CallReport, Channel } from '#protocol/methods/pipeline.ts';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { snapshotRoutes } from '#service/http/control.ts';
import { type Listening, listen } from '#service/http/listener/listener.ts';
import type { AddRoutes } from '#service/http/pages.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { type Log, logCall } from '#service/process/log.ts';
import { type Purge, startPurge } from '#service/process/purge.ts';
import { type EhrConfig, endpointPath } from './config.ts';
import type { Context } from './context.ts';
import { createHandler } from './handle.ts';
import { type HttpParts, httpListener } from './http.ts';
import { type Limits, openLimits } from './limits/open-limits.ts';
import { createMeter } from './metrics/counts.ts';
import { METRICS_PATH, metricsListener } from './metrics/serve.ts';
import type { Mis } from './mis/mis.ts';
import { listenerTls, tlsOf } from './settings/tls.ts';
import { contentsInHex } from './store/contents.ts';
import { engineOf, openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { watchStore } from './store/watch-store.ts';

type EhrParts = {
  config: EhrConfig;
  clock: Clock;
  random: Random;
  log: Log;
  /** Where patients are looked up. It is closed with the server. */
  mis: Mis;
  /** Called with every exchange, unmasked. For tests and the harness only. */
  onExchange?: (exchange: Exchange) => void;
  /** A monotonic time in milliseconds that measures the duration of calls. Absent: the clock's time. */
  stopwatch?: () => number;
};

export type Ehr = {
  /** Base URL of the public listener, without a trailing slash. */
  url: string;
  /** Base URL of the listener for the two save methods: the public one, unless there is an internal one. */
  internalUrl: string;
  /** The public JSON-RPC endpoint. */
  endpoint: string;
  /** The routes of the control port. The internal listener has the metrics, too. */
  controlRoutes: AddRoutes;
  /** Stops listening, finishes calls under way, writes what is pending, closes the databases. */
  stop(): Promise<void>;
};

const DAY_MS = 86_400_000;

/**
 * How long idle connections stay open at a stop when a proxy is in front. A proxy keeps connections, and may
 * send a call on one just when the server stops. Within this time it notices that new connections are
 * refused, and uses another server.
 */
const DRAIN_MS = 1_000;

/**
 * Start an EHR server.
 * @throws Error saying what is wrong and what to do, when a port is taken or a database cannot be opened
 */
export async function createEhr({
  config,
  clock,
  random,
  log,
  mis,
  onExchange,
  stopwatch = () => clock.now(),
}: EhrParts): Promise<Ehr> {
  const meter = createMeter();
  const storeParts = { log, onCommit: meter.onCommit, endOtherReads: () => mis.endReads?.() };
  const store = watchStore(await openStore(config, storeParts), meter.onStoreFailure);
  const databases = bothOf(store, mis);
  const context: Context = { store, mis, clock, random, config };
  const report = (report: CallReport) => {
    meter.onCall(report);
    logCall(log, report, ehrMethods);
  };
  const listeners = new Map<Channel, Listening>();
  const connections = () =>
    new Map([...listeners].map(([channel, listener]) => [channel, listener.connections()]));
  const metrics = metricsListener({ meter, connections, engine: engineOf(config.database), log });
  const { onHttpError } = meter;
  const pipeline = createHandler(context, report, stopwatch);
  const parts = { config, pipeline, log, ready: databases.check, onExchange, onHttpError, metrics };
  let limits: Limits | undefined;
  const closeAll = async () => {
    await Promise.all([...listeners.values()].map((listener) => listener.stop()));
    await limits?.close();
  };
  try {
    limits = await openLimits({ config, clock, log, onRateLimited: meter.onRateLimited });
    await openListeners(listeners, parts, limits);
  } catch (error) {
    await closeAll();
    await databases.close();
    throw error;
  }
  const stopPurge = startPurge({ purges: purgesOf(config, store), clock, log, onPurge: meter.onPurge });
  const [{ url }, { url: internalUrl } = { url }] = [...listeners.values()] as [Listening, Listening?];
  return {
    url,
    internalUrl,
    endpoint: url + endpointPath(config.apiVersion),
    controlRoutes: controlRoutes(store, metrics),
    async stop() {
      await closeAll();
      await stopPurge();
      await databases.close();
    },
  };
}

/** Open the listener of each channel. If one fails, `listeners` holds those that are open. */
async function openListeners(
  listeners: Map<Channel, Listening>,
  parts: Omit<HttpParts, 'channel' | 'limiter'>,
  limits: Limits,
): Promise<void> {
  const { config, log, onHttpError } = parts;
  const optionsFor = listenOptions(config, log);
  for (const { channel, port, flag } of channelsOf(config)) {
    const listener = httpListener({ ...parts, channel, limiter: limits.limiterOf(channel) });
    const portFlag = `${programName('ehr')} ${flag}`;
    listeners.set(channel, await listen(listener, { ...optionsFor(channel), port, portFlag, onHttpError }));
  }
}

/** The channels, the clients' one first, each with the port of its listener and the flag that sets it. */
function channelsOf({ port, internalPort }: EhrConfig): { channel: Channel; port: number; flag: string }[] {
  if (internalPort === undefined) return [{ channel: 'any', port, flag: '--port' }];
  return [
    { channel: 'public', port, flag: '--port' },
    { channel: 'internal', port: internalPort, flag: '--internal-port' },
  ];
}

/**
 * Read the options of the listeners, by channel. Connections and certificates expire in real time, whatever
 * the party's clock says.
 * @throws SettingsError when the TLS settings contradict each other
 */
function listenOptions(config: EhrConfig, log: Log) {
  const tls = listenerTls(config);
  return (channel: Channel) => ({
    host: config.host,
    allowedHosts: config.allowedHosts,
    clock: systemClock,
    drainMs: config.trustedProxies.length > 0 ? DRAIN_MS : undefined,
    maxConnections: config.maxConnections,
    log,
    tls: tlsOf(tls, channel, log),
  });
}

/** Treat the two databases of the server as one. */
function bothOf(store: Store, mis: Mis) {
  return {
    async check() {
      await store.check();
      await mis.check();
    },
    async close() {
      await store.close();
      await mis.close();
    },
  };
}

function purgesOf(config: EhrConfig, store: Store): Purge[] {
  return [
    { retentionMs: config.retentionDays * DAY_MS, batch: store.purge },
    { retentionMs: FAILED_MATCH_WINDOW_MS, batch: store.purgeFailures },
    { retentionMs: config.auditRetentionDays * DAY_MS, batch: store.purgeAudit },
  ];
}

/** `GET /contents` -> what {@link contentsInHex} returns; the routes of snapshots; `GET /metrics`. */
function controlRoutes(
  store: Pick<Store, 'contents' | 'keep' | 'clear'>,
  metrics: RequestListener,
): AddRoutes {
  const { keep, clear } = store;
  const snapshots = snapshotRoutes(keep && clear && { keep, clear });
  return (app, from) => {
    app.get('/contents', async (_request, response) => void response.json(await contentsInHex(store)));
    snapshots(app, from);
    app.use(METRICS_PATH, metrics);
  };
}
