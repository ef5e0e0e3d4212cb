/** Other pages in the browser can call the kit: with their Origin, or, by DNS rebinding, their Host. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostOf, isLoopback } from '../../../engine/wire/stray.ts';
import type { ClientSettings } from '../settings.ts';

type Named = Pick<ClientSettings, 'hosts' | 'origins'> & { browser?: { address: string } | undefined };

export type Visitors = {
  readonly hosts: readonly string[];
  readonly pages: readonly (string | undefined)[];
  /** Further origins as a browser sends them, such as `null`. */
  readonly origins: readonly string[];
};

/** A page on the machine of the kit has the kit's host. */
export function visitorsOf({ hosts, origins, browser }: Named): Visitors {
  const pages = browser ? [hostOf(withoutTemplates(browser.address))] : [];
  return { hosts: hosts.map(plain), pages, origins };
}

export function strangerIn(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { hosts, pages, origins }: Visitors,
): string | undefined {
  const { host, origin } = headers;
  const name = host === undefined ? undefined : hostOf(`http://${host}`);
  // A request without a Host (HTTP/1.0) cannot come from a web page.
  if (
    host !== undefined &&
    !isLoopback(name) &&
    name !== plain(socket.localAddress) &&
    !hosts.includes(name ?? '')
  )
    return 'its Host is not the address of the kit, nor among `hosts` of the file';
  const page = origin === undefined ? undefined : hostOf(origin);
  if (origin !== undefined && !isLoopback(page) && !pages.includes(page) && !origins.includes(origin))
    return 'its Origin is not that of the client, nor among `origins` of the file';
  return undefined;
}

export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Adds the CORS headers that let a page read the answer. Safe for every page: the people are invented. */
export function admitPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const asked = headers['access-control-request-headers'] ?? 'content-type';
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-headers', asked);
  // On a connection that was used before, a browser repeats a call whose answer is lost, unseen by its page.
  response.setHeader('connection', 'close');
}

/** Replaces templates such as `${port}` by 1: with a template in it, an address is no URL. */
function withoutTemplates(address: string): string {
  return address.replaceAll(/\$\{[^}]*\}/g, '1');
}

/** IPv4 without the prefix of IPv6, IPv6 in brackets. */
function plain(address = ''): string {
  const short = address.replace(/^::ffff:/, '');
  return short.includes(':') ? `[${short}]` : short.toLowerCase();
}
