/** The console's server: recording proxies between the parties, and a page on loopback that shows them. */
import type { Log } from '#service/process/log.ts';
import type { Addresses } from '../api.ts';
import type { DemoWorldOptions, PageOptions } from './options.ts';
import { openWorld } from './worlds/open-world.ts';
import { serveWorld } from './worlds/serve-world.ts';

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
      internalUrl: world.wires.proxies['auth->ehr'].url,
      addresses: world.about.addresses,
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
