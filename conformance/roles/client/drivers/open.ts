/** Opens one of the two ways to drive a client: by a program, or in a browser. */
import type { ClientSettings } from '../settings.ts';
import { startCommandDriver } from './command-driver.ts';
import type { Drivers, DriversParts } from './drivers.ts';

/** @throws AdapterFileError, ServerStartError when it cannot be opened */
export async function openDrivers(
  { client, browser }: ClientSettings,
  parts: DriversParts,
): Promise<Drivers> {
  if (browser) return (await import('./browser/open.ts')).openBrowser(browser, parts);
  if (!client) throw new Error('The file names no way to drive the client.');
  return {
    can: new Set(),
    start: (storage) => startCommandDriver({ ...parts, client, storage }),
    close: async () => undefined,
  };
}
