/** Serves the console on a port of loopback: its page, its routes and the client. */
import { systemClock } from '#protocol/time/clock.ts';
import { type Listening, listen } from '#service/http/listener/listener.ts';
import { createPages } from '#service/http/pages.ts';
import type { Log } from '#service/process/log.ts';
import { onlyOwnOrigin, onlyWithToken } from '../guard.ts';
import type { DemoWorldOptions, PageOptions } from '../options.ts';
import { pageRoutes } from '../page-routes.ts';
import { apiRoutes } from '../routes.ts';
import { addClientFrame } from '../wires/client-frame.ts';
import type { DemoWorld } from './world.ts';

export type Serving = { world: DemoWorld; options: DemoWorldOptions; page: PageOptions; log: Log };

/** Answers 200 once the console looks at the parties, 503 before. */
const WATCHING_PATH = '/watching';

const OWN_HOSTS = ['127.0.0.1', 'localhost'];

/** @throws Error that names the port that cannot be had */
export async function serveWorld({ world, options, page, log }: Serving): Promise<Listening> {
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
      if (directory !== undefined) pageRoutes(directory)(app, from);
    },
    notFound: { message: 'There is nothing here. The console is the page /.' },
  });
  const portFlag = 'npm run demo -- --console-port';
  const listening = await listen(pages, { host: '127.0.0.1', port, portFlag, clock: systemClock });
  ownPort = listening.port;
  return listening;
}
