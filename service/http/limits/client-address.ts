/** Finds the client address that a rate limit counts by. It believes trusted proxies and no others. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { list } from '../../process/command-line/settings.ts';

export type ClientAddress = {
  /** The key that requests are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
  keyOf(request: IncomingMessage): string;
  /** Whether the request comes from this machine or a trusted proxy, on its own behalf and not passed on. */
  isNear(request: IncomingMessage): boolean;
};

/** Addresses and networks, comma-separated, such as `10.0.0.5,192.168.0.0/16,fd00::/8`. */
export const networks = list.refine(
  (values) => values.every(isNetwork),
  'must be comma-separated addresses or networks such as 10.0.0.5,192.168.0.0/16,fd00::/8',
);

/**
 * Find the client of a request. X-Forwarded-For counts only as far as `proxies` wrote it: from its right end,
 * up to the first address that is none of theirs. Anybody may have made up what is left of that address.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const isBelieved = proxyAddr.compile([...proxies]);
  const isNear = proxyAddr.compile(['loopback', ...proxies]);
  const peerOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  return {
    keyOf(request) {
      const address = plain(proxyAddr(request, isBelieved) ?? '');
      // An entry that is no address is counted for the proxy that sent the request.
      return networkOf(isIP(address) === 0 ? plain(peerOf(request)) : address);
    },
    isNear: (request) => request.headers['x-forwarded-for'] === undefined && isNear(peerOf(request), 0),
  };
}

/** An IPv4 address unchanged, or the /64 network of an IPv6 address, because one host may use all of it. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** An address without port, brackets, zone, or the IPv6 prefix of a mapped IPv4 address. */
function plain(text: string): string {
  if (!text.includes(':')) return text;
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '').toLowerCase();
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

function isNetwork(value: string): boolean {
  // The library also reads names, netmasks and shortened addresses.
  const [address = '', prefix = '1'] = value.split('/');
  if (isIP(address) === 0 || address.includes('%') || !/^\d+$/.test(prefix)) return false;
  try {
    proxyAddr.compile(value);
    return true;
  } catch {
    return false;
  }
}
