/** The console's server: recording proxies between the parties, and a page on loopback that shows them. */
import type { Log } from '#service/process/log.ts';
import type { Addresses } from '../api.ts';
import type { DemoWorldOptions, PageOptions } from './options.ts';
import { openWorld } from './worlds/open-world.ts';
import { type ServedWorld, serveWorlds } from './worlds/serve-worlds.ts';
import { worldList } from './worlds/world-list.ts';

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

/** The consoles of several demos, in the order in which they were given. */
export type Consoles = { readonly url: string; readonly worlds: readonly Console[]; stop(): Promise<void> };

export type ConsoleOptions = Omit<DemoWorldOptions, 'base'> & { page: PageOptions };

/**
 * Starts the console of one demo, on loopback alone.
 * @throws Error that names the port that cannot be had
 */
export async function openConsole({ page, ...options }: ConsoleOptions, log: Log): Promise<Console> {
  const opened = await openAll([{ ...options, base: '' }], (worlds) =>
    serveWorlds({ ...page, worlds, log, notFound: 'There is nothing here. The console is the page /.' }),
  );
  const [only] = opened.worlds as [Console];
  return { ...only, stop: opened.stop };
}

/**
 * Starts the consoles of several demos on one port of loopback, each below a path of its own.
 * @param options by the name of the world, which is part of its path
 * @throws Error that names the port that cannot be had
 */
export function openWorlds(
  options: Readonly<Record<string, Omit<DemoWorldOptions, 'base'>>>,
  page: PageOptions,
  log: Log,
): Promise<Consoles> {
  const names = Object.keys(options);
  const add = worldList(names);
  const notFound = `There is nothing here. The worlds are ${names.map((name) => `/w/${name}/`).join(', ')}.`;
  return openAll(
    Object.entries(options).map(([name, own]) => ({ ...own, base: `/w/${name}` })),
    (worlds) => serveWorlds({ ...page, worlds, add, log, notFound }),
  );
}

async function openAll(
  options: readonly DemoWorldOptions[],
  serve: (worlds: readonly ServedWorld[]) => ReturnType<typeof serveWorlds>,
): Promise<Consoles> {
  const worlds: ServedWorld[] = [];
  const stopWorlds = () => Promise.all(worlds.map(({ world }) => world.stop()));
  try {
    for (const own of options) worlds.push({ world: await openWorld(own), options: own });
    const { url, stop } = await serve(worlds);
    return {
      url,
      worlds: worlds.map((served) => consoleOf(served, url)),
      async stop() {
        await stopWorlds();
        await stop();
      },
    };
  } catch (error) {
    await stopWorlds();
    throw error;
  }
}

function consoleOf({ world, options }: ServedWorld, url: string): Console {
  return {
    url: url + options.base,
    internalUrl: world.wires.proxies['auth->ehr'].url,
    addresses: world.about.addresses,
    watch: () => world.watch(),
    stop: () => world.stop(),
  };
}
