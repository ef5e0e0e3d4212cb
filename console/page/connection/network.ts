/**
 * How the page reaches its console: over HTTP, at the address that served it. The page without an
 * installation is built with another module in the place of this one.
 */

import { takeToken } from './address.ts';
import type { OpenEvents } from './stream.ts';

export type Network = {
  fetch: typeof globalThis.fetch;
  openEvents: OpenEvents;
  /** Opens the server. */
  token: string;
};

export function openNetwork({ location, history, localStorage: storage }: Window): Network {
  return {
    fetch: (address, options) => window.fetch(address, options),
    openEvents: (address) => new EventSource(address),
    token: takeToken({ location, history, storage }),
  };
}
