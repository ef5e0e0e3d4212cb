/** Serves the worlds of a console on one port of loopback: of each its page, its routes and its client. */
import type { Express } from 'express';
import { systemClock } from '#protocol/time/clock.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { type Listening, listen } from '#service/http/listener/listener.ts';
import { createPages } from '#service/http/pages.ts';
import type { Log } from '#service/process/log.ts';
import { onlyOwnOrigin, onlyWithToken } from '../guard.ts';
import type { DemoWorldOptions, PageOptions } from '../options.ts';
import { pageRoutes } from '../page-routes.ts';
import { apiRoutes } from '../routes.ts';
import { addClientFrame } from '../wires/client-frame.ts';
import type { DemoWorld } from './world.ts';

/** A world with what serving it needs. */
export type ServedWorld = { world: DemoWorld; options: DemoWorldOptions };

export type Serving = PageOptions & {
  worlds: readonly ServedWorld[];
  /** What is served beside the worlds. */
  add?: AddRoutes;
  /** What to tell of a path that does not exist. */
  notFound: string;
  log: Log;
};

/** Answers 200 once the console looks at the parties of all worlds, 503 before. */
const WATCHING_PATH = '/watching';

const OWN_HOSTS = ['127.0.0.1', 'localhost'];

/** @throws Error that names the port that cannot be had */
export async function serveWorlds({
  worlds,
  port,
  directory,
  add,
  notFound,
  log,
}: Serving): Promise<Listening> {
  let ownPort = port;
  const isOwn = (origin: string) => OWN_HOSTS.some((host) => origin === `http://${host}:${ownPort}`);
  const pages = createPages({
    ready: () => undefined,
    log,
    add(app, from) {
      app.get(WATCHING_PATH, (_request, response) => {
        const isWatching = worlds.every(({ world }) => world.isWatching);
        response.status(isWatching ? 200 : 503).json({ isWatching });
      });
      app.use(onlyOwnOrigin(isOwn));
      for (const served of worlds) {
        const { base } = served.options;
        const own = base === '' ? app : from().disable('x-powered-by').disable('etag');
        addWorld(own, from, served, directory);
        if (own !== app) app.use(base, own);
      }
      add?.(app, from);
    },
    notFound: { message: notFound },
  });
  const portFlag = 'npm run demo -- --console-port';
  const listening = await listen(pages, { host: '127.0.0.1', port, portFlag, clock: systemClock });
  ownPort = listening.port;
  return listening;
}

function addWorld(
  app: Express,
  from: Parameters<AddRoutes>[1],
  { world, options }: ServedWorld,
  directory: string | undefined,
): void {
  app.use('/api', onlyWithToken(options.token));
  apiRoutes(world)(app, from);
  addClientFrame(app, options.parties.client, () => world.demoClock.clientAheadMs());
  if (directory !== undefined) pageRoutes(directory)(app, from);
}
