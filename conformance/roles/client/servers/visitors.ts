/**
 * Tells requests of the client under test from those of strangers: other pages in the same browser, which can
 * send requests to the kit. Such a page sends its own Origin. With DNS rebinding, where its host name is made
 * to lead to the kit, it sends its own Host. An application that is no web page sends no Origin at all.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostOf, isLoopback } from '../../../engine/wire/stray.ts';
import type { ClientSettings } from '../settings.ts';

/** The keys of the file that name the client. */
type Named = Pick<ClientSettings, 'hosts' | 'origins'> & { browser?: { address: string } | undefined };

/** What tells the requests of the client from those of strangers. */
export type Visitors = {
  /** Names by which the client reaches the kit, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Hosts of the client's pages. */
  readonly pages: readonly (string | undefined)[];
  /** Further origins as a browser sends them, such as `null`. */
  readonly origins: readonly string[];
};

/**
 * Reads from the file whose requests are the client's. A page on the machine of the kit has the kit's host.
 */
export function visitorsOf({ hosts, origins, browser }: Named): Visitors {
  const pages = browser ? [hostOf(withoutTemplates(browser.address))] : [];
  return { hosts: hosts.map(plain), pages, origins };
}

/** Says why a request is not the client's, and which key of the file would allow it; undefined: it is. */
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

/** Whether a request is a CORS preflight: the browser itself asks whether a page may make a call. */
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

/**
 * An IP address or host name as it stands in a Host header: IPv4 without the prefix of IPv6, IPv6 in
 * brackets.
 */
function plain(address = ''): string {
  const short = address.replace(/^::ffff:/, '');
  return short.includes(':') ? `[${short}]` : short.toLowerCase();
}
