/** Chooses free ports for the parties of a run, so that two runs on one machine do not collide. */

import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { systemRandom } from '#protocol/time/random.ts';

export type Ports = Readonly<Record<string, number>>;

/** Replaces each port 0 by a free port. Other ports stay. */
export async function choosePorts(given: Ports): Promise<Record<string, number>> {
  const free = await freePorts(Object.values(given).filter((port) => port === 0).length);
  return Object.fromEntries(
    Object.entries(given).map(([name, port]) => [name, port === 0 ? (free.pop() as number) : port]),
  );
}

/** Replaces every `${ports.NAME}` in the texts of a section, at any depth. Returns a copy. */
export function withPorts<T>(section: T, ports: Ports): T {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(PORT, (whole, name) => (name === undefined ? whole : String(ports[name])));
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]));
  };
  return filled(section) as T;
}

/** Matches `${ports.NAME}`, and also `$${`, the escape of a literal `${`, which stays as it is. */
const PORT = /\$\$\{|\$\{ports\.(\w+)\}/g;

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/**
 * A free port is drawn from these. Systems give a port from 32768 on to whoever asks for any, so one of these
 * is not taken before the party listens on it. Browsers refuse some ports, the last of them 10080.
 */
const [FIRST_PORT, LAST_PORT] = [10_081, 32_767];
/** Limits how many ports are tried. A machine on which all of them are taken has no room for a run. */
const MAX_TRIES = 50;

async function listen(): Promise<Server> {
  for (let tried = 1; ; tried++)
    try {
      return await listenOn(drawnPort());
    } catch (error) {
      if (tried === MAX_TRIES) throw error;
    }
}

/** Which port it is makes no difference to a run, so it is not drawn by the seed. */
function drawnPort(): number {
  const [high = 0, low = 0] = systemRandom(2);
  return FIRST_PORT + ((high * 256 + low) % (LAST_PORT - FIRST_PORT + 1));
}

function listenOn(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
