import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, networks } from './client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;
const keyOf = (proxies: readonly string[], peer: string | undefined, forwarded?: string) =>
  clientAddress(proxies).keyOf(request(peer, forwarded));

test('without trusted proxies the peer is the client, whatever it says of others', () => {
  expect(keyOf([], '192.0.2.1')).toBe('192.0.2.1');
  expect(keyOf([], '192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
  expect(keyOf(['10.0.0.0/8'], '192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
  expect(keyOf([], undefined)).toBe('');
});

test('through trusted proxies the right-most address that is none of theirs is the client', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.9', 'fd00::/8'];
  for (const [peer, forwarded, client] of [
    ['10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', '203.0.113.1,198.51.100.7 , 10.9.9.9', '198.51.100.7'],
    ['192.0.2.9', '198.51.100.7, 10.1.1.1,10.2.2.2', '198.51.100.7'],
    ['::ffff:10.1.2.3', '::ffff:198.51.100.7', '198.51.100.7'],
    ['fd12::1', '198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', '198.51.100.7:51234', '198.51.100.7'],
    ['10.1.2.3', '[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    // All hops are proxies: the farthest one is the client.
    ['10.1.2.3', '10.0.0.7', '10.0.0.7'],
    // An unreadable hop is counted for the proxy that passed it on.
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.7, junk, 10.4.4.4', '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', '1.2.3.4.5', '10.1.2.3'],
  ] as const)
    expect([peer, forwarded, keyOf(proxies, peer, forwarded)]).toEqual([peer, forwarded, client]);
});

test('IPv6 is counted by its /64 network, in one spelling', () => {
  for (const address of [
    ...[
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:0db8:0001:0002:0:0:0:9',
      '2001:DB8:1:2::',
    ],
    '2001:db8:1:2::1%eth0',
  ])
    expect(keyOf([], address)).toBe('2001:db8:1:2::/64');
  expect(keyOf([], '2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(keyOf([], '::1')).toBe('0:0:0:0::/64');
  expect(keyOf([], 'fe80::1:2:3:4')).toBe('fe80:0:0:0::/64');
  expect(keyOf([], '::ffff:192.0.2.1')).toBe('192.0.2.1');
});

test('this machine and trusted proxies are near on their own behalf', () => {
  const { isNear } = clientAddress(['10.0.0.0/8']);
  for (const peer of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '10.1.1.1'])
    expect([peer, isNear(request(peer))]).toEqual([peer, true]);
  for (const peer of ['192.0.2.1', '2001:db8::1', undefined])
    expect([peer, isNear(request(peer))]).toEqual([peer, false]);
  expect(isNear(request('127.0.0.1', '192.0.2.1'))).toBe(false);
  expect(isNear(request('10.1.1.1', '127.0.0.1'))).toBe(false);
});

test('the list of proxies takes addresses and networks, and nothing else', () => {
  expect(networks.parse('10.0.0.5, 192.168.0.0/16,fd00::/8,::1')).toEqual([
    '10.0.0.5',
    '192.168.0.0/16',
    'fd00::/8',
    '::1',
  ]);
  expect(networks.parse('')).toEqual([]);
  for (const wrong of [
    ...['proxy.example', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '*'],
    ...['fe80::1%eth0', 'loopback', '10.0.0.0/255.0.0.0'],
  ])
    expect([wrong, networks.safeParse(wrong).success]).toEqual([wrong, false]);
});
