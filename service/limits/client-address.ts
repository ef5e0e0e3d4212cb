/** Finds the client address that a rate limit counts by. It believes trusted proxies and no others. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { list } from '../settings.ts';

export type ClientAddress = {
  /** The key that requests are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
  keyOf(request: IncomingMessage): string;
  /** Whether the request comes from this machine or a trusted proxy, on its own behalf and not passed on. */
  isNear(request: IncomingMessage): boolean;
};

const MAX_REMEMBERED_ADDRESSES = 1_000;

/** Addresses and networks, comma-separated, such as `10.0.0.5,192.168.0.0/16,fd00::/8`. */
export const networks = list.refine(
  (values) => values.every((value) => readNetwork(value) !== undefined),
  'must be comma-separated addresses or networks such as 10.0.0.5,192.168.0.0/16,fd00::/8',
);

/**
 * Find the client of a request. X-Forwarded-For counts only as far as `proxies` wrote it: from its right end,
 * up to the first address that is none of theirs. Anybody may have made up what is left of that address.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const isBelieved = membership(proxies);
  const isLoopback = membership(['127.0.0.0/8', '::1']);

  const addressOf = (request: IncomingMessage): string => {
    let address = plain(request.socket.remoteAddress ?? '');
    const header = request.headers['x-forwarded-for'];
    if (proxies.length === 0 || header === undefined) return address;
    // Node joins repeated headers of this name into one text.
    const hops = String(header).split(',');
    while (isBelieved(address)) {
      const next = plain((hops.pop() ?? '').trim());
      // An entry that is no address is counted for the proxy that wrote it.
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
  return {
    keyOf: (request) => networkOf(addressOf(request)),
    isNear(request) {
      if (request.headers['x-forwarded-for'] !== undefined) return false;
      const address = addressOf(request);
      return isLoopback(address) || isBelieved(address);
    },
  };
}

/** An IPv4 address unchanged, or the /64 network of an IPv6 address, because one host may use all of it. */
export function networkOf(written: string): string {
  const address = plain(written);
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

/** Whether an address is in one of the networks. Answers are cached: node takes microseconds to find them. */
function membership(values: readonly string[]): (address: string) => boolean {
  const block = new BlockList();
  for (const value of values) {
    const network = readNetwork(value);
    if (network) block.addSubnet(network.address, network.prefix, network.family);
  }
  const known = new Map<string, boolean>();
  return (address) => {
    const remembered = known.get(address);
    if (remembered !== undefined) return remembered;
    const version = isIP(address);
    const isIn = version !== 0 && block.check(address, version === 6 ? 'ipv6' : 'ipv4');
    if (known.size >= MAX_REMEMBERED_ADDRESSES) known.clear();
    known.set(address, isIn);
    return isIn;
  };
}

function readNetwork(value: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)) return undefined;
  return { address, prefix: prefix === undefined ? bits : Number(prefix), family: version === 6 ? 'ipv6' : 'ipv4' };
}
