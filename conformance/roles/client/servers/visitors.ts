/**
 * Tells the client under test from pages of others in the same browser. Such a page sends its own Origin, and
 * by DNS rebinding its own Host; a native application sends no Origin at all.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostOf, isLoopback } from '../../../engine/wire/stray.ts';
import type { ClientSettings } from '../settings.ts';

export type Visitors = {
  /** Names by which the client reaches the kit, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Hosts of the client's pages. */
  readonly pages: readonly (string | undefined)[];
  /** Further origins as a browser sends them, such as `null`. */
  readonly origins: readonly string[];
};

/** Read from the file who may visit. A page on the machine of the kit has the kit's host. */
export function visitorsOf({ hosts, origins, browser, person }: ClientSettings): Visitors {
  const own = person ? [plain(person.host)] : [];
  const addresses = [browser?.address, person?.address].filter((address) => address !== undefined);
  const pages = addresses.map((address) => hostOf(withoutTemplates(address)));
  return { hosts: [...own, ...hosts.map(plain)], pages: [...own, ...pages], origins };
}

/** Tell why a request is not the client's, and which key of the file says otherwise; undefined if it is. */
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

/** Whether a browser asks beforehand if a page may make a call. A client in a browser knows nothing of it. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Lets a page read the answer. The servers have invented people alone, so that every page may. */
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

/** An address whose port is a template is none before the page has been started. */
function withoutTemplates(address: string): string {
  return address.replaceAll(/\$\{[^}]*\}/g, '1');
}

/** An address as it stands in a Host. */
function plain(address = ''): string {
  const short = address.replace(/^::ffff:/, '');
  return short.includes(':') ? `[${short}]` : short.toLowerCase();
}
