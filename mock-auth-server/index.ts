/** The authorization server as a function of its parts, so that a test runs it with its own clock. */
import type { RequestListener } from 'node:http';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Pipeline } from '#protocol/methods/pipeline.ts';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { clientAddress } from '#service/http/limits/client-address.ts';
import { addressLimit, countInMemory } from '#service/http/limits/limit.ts';
import { createRateLimiter, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import { type ListenOptions, listen } from '#service/http/listener/listener.ts';
import type { AddRoutes } from '#service/http/pages.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { type Log, logCall } from '#service/process/log.ts';
import { startPurge } from '#service/process/purge.ts';
import { type AuthConfig, listenerPair } from './config.ts';
import type { Context } from './context.ts';
import { type Correspondence, openCorrespondence } from './control-lists.ts';
import { controlRoutes } from './control-routes.ts';
import { createEhrClient } from './ehr/ehr-client.ts';
import { openEhrFetch } from './ehr/ehr-tls.ts';
import { createHandler } from './handle.ts';
import { httpListener } from './http.ts';
import { createOneTimeCodes } from './otp/one-time-codes.ts';
import { createOutbox, type Message, messagesTo } from './outbox/outbox.ts';
import { openStore, purgesOf } from './store/open-store.ts';

export type AuthServerParts = {
  config: AuthConfig;
  clock: Clock;
  random: Random;
  log: Log;
  /** Called with every exchange of this server's endpoint, unmasked. For tests and the harness only. */
  onExchange?: (exchange: Exchange) => void;
  /** Sends requests to the EHR server. Absent: as the settings say. */
  fetch?: typeof fetch;
  /** Wraps the function that answers HTTP requests. For the harness only. */
  http?: (listener: RequestListener) => RequestListener;
};

export type AuthServer = {
  /** Base URL without a trailing slash. The JSON-RPC endpoint is POST to its root. */
  url: string;
  port: number;
  outbox: { list(to?: string): Message[] };
  latestMessage(to: string): Message | undefined;
  correspondence: Correspondence;
  /** The routes that give the control port sessions, correspondence and snapshots. */
  controlRoutes: AddRoutes;
  /** Stop listening, let calls under way finish, close the database. */
  stop(): Promise<void>;
};

/** A server that is open, and does not listen yet. */
export type OpenedAuthServer = { context: Context; listen(pipeline: Pipeline): Promise<AuthServer> };

/** @throws Error saying what to do, when the port is taken or the database cannot be opened */
export async function createAuthServer(parts: AuthServerParts): Promise<AuthServer> {
  const { context, listen } = await openAuthServer(parts);
  return listen(createHandler(context, (report) => logCall(parts.log, report, authMethods)));
}

/** Open the database and all parts of an authorization server. It serves them when it is told to listen. */
export async function openAuthServer(parts: AuthServerParts): Promise<OpenedAuthServer> {
  const { config, clock, random, log, fetch } = parts;
  // Certificates expire in real time, whatever the party's clock says.
  const ehrTls = await openEhrFetch(config, systemClock, log);
  const store = await openStore(config.database, log);
  const codes = createOneTimeCodes(store, clock, random, codeRules(config));
  const outbox = createOutbox(store, clock);
  const ehr = createEhrClient({ config, clock, log, fetch: fetch ?? ehrTls?.fetch });
  const context = { store, codes, outbox, ehr, clock, random, config };
  return { context, listen: (pipeline) => serve(parts, context, pipeline, ehrTls) };
}

async function serve(
  { config, clock, log, onExchange, http }: AuthServerParts,
  { store, outbox, ehr }: Context,
  pipeline: Pipeline,
  ehrTls: Awaited<ReturnType<typeof openEhrFetch>>,
): Promise<AuthServer> {
  const limiter = openRateLimiter(config, clock, log);
  const handler = httpListener({
    config,
    pipeline,
    outbox,
    log,
    ready: () => store.check(),
    limiter,
    onExchange,
  });
  const listening = listen(http?.(handler) ?? handler, listenOptions(config, log));
  const { url, port, stop } = await listening.catch(async (error: unknown) => {
    store.close();
    await ehrTls?.close();
    throw error;
  });
  const stopPurge = startPurge({ purges: purgesOf(store), clock, log });
  if (config.allowTestLogin) log.warn('auth.login is served: anybody can sign in as anybody');

  const list = (to?: string) => messagesTo(outbox, to);
  const correspondence = openCorrespondence(store.directory);
  return {
    url,
    port,
    outbox: { list },
    latestMessage: (to) => list(to)[0],
    correspondence,
    controlRoutes: controlRoutes(correspondence, store),
    async stop() {
      const drained = stop();
      outbox.close();
      await drained;
      ehr.close();
      await ehrTls?.close();
      await stopPurge();
      // Calls that were just aborted must end before the database is closed.
      await new Promise(setImmediate);
      store.close();
    },
  };
}

/** Counts the calls of one client address, in this process. */
function openRateLimiter(config: AuthConfig, clock: Clock, log: Log): RateLimiter | undefined {
  if (!config.rateLimit) return undefined;
  const perAddress = addressLimit(config.ratePerAddress, 'address', countInMemory);
  return createRateLimiter({ client: clientAddress(config.trustedProxies), perAddress, clock, log });
}

function codeRules(config: AuthConfig) {
  return { resendAfter: config.otpResendAfter, perDay: config.otpPerDay, key: config.internalPassword };
}

function listenOptions(config: AuthConfig, log: Log): ListenOptions {
  const pair = listenerPair(config);
  return {
    host: config.host,
    port: config.port,
    portFlag: `${programName('auth')} --port`,
    allowedHosts: config.allowedHosts,
    // Connections drain and certificates expire in real time.
    clock: systemClock,
    log,
    tls: pair && { ...pair, log },
  };
}
