/** The console's server: recording proxies between the parties, and a page on loopback that shows them. */
import { systemClock } from '#protocol/time/clock.ts';
import { listen } from '#service/http/listener.ts';
import { createPages } from '#service/http/pages.ts';
import type { Log } from '#service/process/log.ts';
import type { Addresses } from '../api.ts';
import { addClientFrame } from './client-frame.ts';
import { onlyOwnOrigin, onlyWithToken } from './guard.ts';
import { pageRoutes } from './page-routes.ts';
import { apiRoutes } from './routes.ts';
import { type ConsoleOptions, World } from './world.ts';

export type { ConsoleOptions };

export type Console = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Base URL of the proxy in front of the EHR server's internal listener. */
  readonly internalUrl: string;
  readonly addresses: Addresses;
  /** Begins to look at the parties. Call it once they run: before, they may lack the proxies' addresses. */
  watch(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the proxies and the page's server, on loopback alone.
 * @throws Error that names the port that cannot be had
 */
export async function openConsole(options: ConsoleOptions, log: Log): Promise<Console> {
  const world = await World.open(options);
  let isWatching = false;
  let ownPort = options.ports.page;
  const isOwn = (origin: string) => OWN_HOSTS.some((host) => origin === `http://${host}:${ownPort}`);
  const pages = createPages({
    ready: () => undefined,
    log,
    add(app, from) {
      app.get(WATCHING_PATH, (_request, response) => void response.status(isWatching ? 200 : 503).json({ isWatching }));
      app.use(onlyOwnOrigin(isOwn));
      app.use('/api', onlyWithToken(options.token));
      apiRoutes(world)(app, from);
      addClientFrame(app, options.parties.client);
      if (options.pageDirectory !== undefined) pageRoutes(options.pageDirectory)(app, from);
    },
    notFound: { message: 'There is nothing here. The console is the page /.' },
  });
  const listening = await listen(pages, {
    host: '127.0.0.1',
    port: options.ports.page,
    portFlag: '--console-port (CONSOLE_PORT)',
    clock: systemClock,
  }).catch(async (error: unknown) => {
    await world.stop();
    throw error;
  });
  ownPort = listening.port;
  return {
    url: listening.url,
    internalUrl: world.wires.proxies['auth->ehr'].url,
    addresses: world.addresses(),
    async watch() {
      await world.watch();
      isWatching = true;
    },
    async stop() {
      await world.stop();
      await listening.stop();
    },
  };
}

/** Answers 200 once the console looks at the parties, 503 before. */
const WATCHING_PATH = '/watching';

const OWN_HOSTS = ['127.0.0.1', 'localhost'];
