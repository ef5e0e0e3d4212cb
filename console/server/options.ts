/** What the console's server is told when it starts. */
import type { Clock } from '#protocol/time/clock.ts';

/** One demo: its parties, and the console's own place between them. */
export type DemoWorldOptions = {
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
export type PageOptions = {
  /** The port; 0 takes a free one. */
  port: number;
  /** The directory of the built page; absent: no page is served. */
  directory?: string | undefined;
};
