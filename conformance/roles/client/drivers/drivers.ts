/** The three ways to drive a client: by a program, in a browser, or by a person. */
import type { Clock } from '#protocol/time/clock.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { Env } from '../../../engine/party/file/env.ts';
import type { ClientSettings } from '../settings.ts';
import { startCommandDriver } from './command-driver.ts';
import type { ClientDriver } from './driver.ts';

export type DriversParts = {
  authUrl: string;
  ehrUrl: string;
  /** Where a page that the kit starts listens; 0: a free port. */
  port: number;
  timeouts: ClientSettings['timeouts'];
  clock: Clock;
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Hides values that must not be shown. */
  mask: (text: string) => string;
  /** Calls back with each exchange of the client when it has ended. Returns how to stop. */
  onCall(listener: (call: ExchangeEntry) => void): () => void;
};

/** Starts the client as often as scenarios need it. */
export type Drivers = {
  /** What can be done with it beside the actions of every client. */
  readonly can: ReadonlySet<string>;
  /** @param storage a file for what survives the end of the application; new for each scenario */
  start(storage: string): Promise<ClientDriver>;
  close(): Promise<void>;
};

/**
 * Opens the way that the file names.
 * @throws AdapterFileError, ServerStartError when it cannot be opened
 */
export async function openDrivers({ client, browser, person }: ClientSettings, parts: DriversParts): Promise<Drivers> {
  if (browser) return (await import('./browser/open.ts')).openBrowser(browser, parts);
  if (person) return (await import('./person/open.ts')).openPerson(person, parts);
  if (!client) throw new Error('The file names no way to drive the client.');
  const settings = { client, timeouts: parts.timeouts };
  return {
    can: new Set(),
    start: (storage) => startCommandDriver({ ...parts, settings, storage }),
    close: async () => undefined,
  };
}
