/** The console's server: recording proxies between the parties, and a page on loopback that shows them. */
import { type Clock, movableClock, systemClock } from '#protocol/time/clock.ts';
import { type Listening, listen } from '#service/http/listener/listener.ts';
import { builtPage, createPages, pageHeaders } from '#service/http/pages.ts';
import type { Log } from '#service/process/log.ts';
import type { Addresses } from '../api.ts';
import { addClientFrame } from './client-frame.ts';
import { controlPort } from './control-port.ts';
import { DemoWorld } from './demo-world.ts';
import { apiRoutes, onlyOwnOrigin, onlyWithToken } from './http.ts';
import { patientDataOf } from './wires/identities.ts';
import { openWires } from './wires/wires.ts';

/** One demo: its parties, and the console's own place between them. */
type DemoWorldOptions = {
  /** Ports of the proxies; 0 takes a free one. */
  ports: { ehr: number; internal: number; auth: number };
  /** Base URLs of the parties themselves, without a trailing slash. */
  parties: {
    ehr: string;
    internal: string;
    auth: string;
    client: string;
    ehrControl: string;
    authControl: string;
  };
  /** The version segment of the EHR endpoint; may be empty. */
  apiVersion: string;
  internalUser: string;
  internalPassword: string;
  /** Needed for every request below `/api/`. */
  token: string;
  /** Seed of the demo's population. */
  seed: number;
  version: string;
  /** The machine's clock, of which the demo's is a movable copy. Default: that of the system. */
  machineClock?: Clock;
};

/** Where the pages of the console are served. */
type PageOptions = {
  /** The port; 0 takes a free one. */
  port: number;
  /** The directory of the built page; absent: no page is served. */
  directory?: string | undefined;
};

export type Console = {
  /** Base URL of the page without a trailing slash. */
  readonly url: string;
  /** Base URL of the proxy in front of the EHR server's internal listener. */
  readonly internalUrl: string;
  readonly addresses: Addresses;
  /** Begins to look at the parties. Call it once they run: before, they may lack the proxies' addresses. */
  watch(): Promise<void>;
  stop(): Promise<void>;
};

export type ConsoleOptions = DemoWorldOptions & { page: PageOptions };

/**
 * Starts the console of a demo, on loopback alone.
 * @throws Error that names the port that cannot be had
 */
export async function openConsole({ page, ...options }: ConsoleOptions, log: Log): Promise<Console> {
  const world = await openWorld(options);
  try {
    const { url, stop } = await serveWorld({ world, options, page, log });
    return {
      url,
      internalUrl: world.parts.wires.proxies['auth->ehr'].url,
      addresses: world.parts.addresses,
      watch: () => world.watch(),
      async stop() {
        await world.stop();
        await stop();
      },
    };
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/**
 * Opens the console of parties that are programs of this machine: starts the proxies.
 * @throws Error that names the port that cannot be had
 */
async function openWorld(options: DemoWorldOptions): Promise<DemoWorld> {
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

type Serving = { world: DemoWorld; options: DemoWorldOptions; page: PageOptions; log: Log };

/** Answers 200 once the console looks at the parties, 503 before. */
const WATCHING_PATH = '/watching';

/** The page shows the client in a frame. */
const PAGE_HEADERS = pageHeaders("connect-src 'self'", "frame-src 'self'");

const OWN_HOSTS = ['127.0.0.1', 'localhost'];

/** Serves its page, its routes and the client. @throws Error that names the port that cannot be had */
async function serveWorld({ world, options, page, log }: Serving): Promise<Listening> {
  const { port, directory } = page;
  let ownPort = port;
  const isOwn = (origin: string) => OWN_HOSTS.some((host) => origin === `http://${host}:${ownPort}`);
  const pages = createPages({
    ready: () => undefined,
    log,
    add(app, from) {
      app.get(WATCHING_PATH, (_request, response) => {
        const { isWatching } = world;
        response.status(isWatching ? 200 : 503).json({ isWatching });
      });
      app.use(onlyOwnOrigin(isOwn));
      app.use('/api', onlyWithToken(options.token));
      apiRoutes(world)(app, from);
      addClientFrame(app, options.parties.client, () => world.demoClock.clientAheadMs());
      if (directory !== undefined) builtPage(directory, PAGE_HEADERS)(app, from);
    },
    notFound: { message: 'There is nothing here. The console is the page /.' },
  });
  const portFlag = 'npm run demo -- --console-port';
  const listening = await listen(pages, { host: '127.0.0.1', port, portFlag, clock: systemClock, log });
  ownPort = listening.port;
  return listening;
}
