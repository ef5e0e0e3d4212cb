/**
 * Changes the headers that pass the recording `learn` so that a browser works through it: the server must see
 * its own origin, and the browser must stay at the recording's address.
 */

/** Headers as they cross, in their order. */
type PassedHeaders = readonly [string, string][];

/** The two origins: that of the recording, which the client uses, and that of the server. */
export type Origins = { here: string; server: string };

/** The headers that the server gets: pages of the recording count as pages of the server. */
export function toServer(headers: PassedHeaders, { here, server }: Origins): [string, string][] {
  return headers.flatMap(([name, value]): [string, string][] => {
    switch (name.toLowerCase()) {
      // An answer in an encoding that is not known here could not be read.
      case 'accept-encoding':
        return [];
      case 'origin':
        return [[name, value === here ? server : value]];
      case 'referer':
        return [[name, moved(value, here, server)]];
      default:
        return [[name, value]];
    }
  });
}

/** The headers that the client gets: redirects lead to the recording, and cookies count for its address. */
export function toClient(headers: PassedHeaders, { here, server }: Origins): [string, string][] {
  return headers.map(([name, value]) => {
    switch (name.toLowerCase()) {
      case 'location':
        return [name, moved(value, server, here)];
      case 'set-cookie':
        return [name, cookieHere(value)];
      default:
        return [name, value];
    }
  });
}

/** An address of one origin, at another; any other address as it is. */
function moved(address: string, from: string, to: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search, hash } = new URL(address);
  return origin === from ? to + pathname + search + hash : address;
}

/**
 * A cookie without Domain, and without Secure, as the recording speaks plain HTTP under another name. Where
 * browsers take a cookie with Secure alone, it stays: they take such a cookie from this machine.
 */
function cookieHere(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const needsSecure =
    /^\s*__(host|secure)-/i.test(pair) || attributes.some((each) => SAME_SITE_NONE.test(each));
  const kept = attributes.filter((each) => !DOMAIN.test(each) && (needsSecure || !SECURE.test(each)));
  return [pair, ...kept].join(';');
}

const DOMAIN = /^\s*domain\s*=/i;
const SECURE = /^\s*secure\s*$/i;
const SAME_SITE_NONE = /^\s*samesite\s*=\s*none\s*$/i;
