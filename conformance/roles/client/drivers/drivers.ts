/** What each way to drive a client is given, and what it offers to the scenarios. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Env } from '../../../engine/party/file/fields.ts';
import type { ClientSettings } from '../settings.ts';
import type { ClientDriver } from './driver.ts';

export type DriversParts = {
  authUrl: string;
  ehrUrl: string;
  /** Where a page that the kit starts listens; 0: a free port. */
  port: number;
  timeouts: ClientSettings['timeouts'];
  clock: Clock;
  env: Env;
  signal: AbortSignal;
  mask: (text: string) => string;
};

export type Drivers = {
  /** What a person can do with the client beyond the actions of every client, such as `reload`. */
  readonly can: ReadonlySet<string>;
  /** @param storage a file for what survives the end of the application; new for each scenario */
  start(storage: string): Promise<ClientDriver>;
  close(): Promise<void>;
};
