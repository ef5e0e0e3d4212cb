/** Opens a port, or says what is wrong with it and what to do; finds free ports, and those that are taken. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import type { Log } from '../../process/log.ts';

type Address = {
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  /** The command with the flag that sets the port, such as `npm run ehr -- --port`. */
  portFlag?: string | undefined;
  maxConnections?: number | undefined;
};

/** The most connections of a listener, unless it has a setting. */
export const MAX_CONNECTIONS = 16_384;
/** Open files that are left to databases and logs. */
const RESERVED_FILES = 64;

/**
 * Resolves to the port when the server listens: a free one of 127.0.0.1 unless given.
 * @throws Error naming the address, what is wrong with it and the remedy
 */
export function bind(
  server: Server,
  { host = '127.0.0.1', port = 0, portFlag, maxConnections = MAX_CONNECTIONS }: Address = {},
): Promise<number> {
  server.maxConnections = Math.max(1, Math.min(maxConnections, openFilesLimit() - RESERVED_FILES));
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) =>
      reject(new Error(explain(cause, host, port, portFlag), { cause }));
    server.once('error', fail);
    server.listen(port, host, () => {
      // A later error, such as a connection that cannot be accepted, must not vanish in the settled promise.
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The limit on open files, as `ulimit -n` tells it; infinite where the system tells none. */
function openFilesLimit(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number, portFlag?: string): string {
  const failed = `Failed to listen on ${host}:${port}`;
  const such = portFlag === undefined ? '.' : `: ${portFlag} ${port < 60_000 ? port + 4_000 : port - 4_000}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return `${failed}: another program uses this port. Please stop it, or choose another one${such}`;
    case 'EACCES':
      return `${failed}: this user may not open that port. Please choose one above 1023${such}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Please check the host setting.`;
    default:
      return `${failed}: ${cause.message}`;
  }
}

/**
 * A free port is drawn from these. Systems give a port from 32768 on to whoever asks for any, so one of these
 * is not taken before the party listens on it. Browsers refuse some ports, the last of them 10080.
 */
const [FIRST_PORT, LAST_PORT] = [10_081, 32_767];
/** Limits how many ports are tried. A machine on which all of them are taken has no room for a run. */
const MAX_TRIES = 50;

/**
 * Returns this many ports of 127.0.0.1 that are free now, all different: for programs that are started later, so
 * that two runs on one machine do not collide.
 */
export async function freePorts(count: number): Promise<number[]> {
  const taken = await Promise.all(Array.from({ length: count }, takePort));
  await Promise.all(taken.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return taken.map(({ port }) => port);
}

async function takePort(): Promise<{ server: Server; port: number }> {
  for (let tried = 1; ; tried++) {
    const server = createServer();
    try {
      return { server, port: await bind(server, { port: drawnPort() }) };
    } catch (error) {
      if (tried === MAX_TRIES) throw error;
    }
  }
}

/** Which port it is makes no difference to a run, so it is not drawn by the seed. */
function drawnPort(): number {
  const [high = 0, low = 0] = systemRandom(2);
  return FIRST_PORT + ((high * 256 + low) % (LAST_PORT - FIRST_PORT + 1));
}

/** How long (ms) a connection may take. Then the server counts as listening: it may only be busy. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Finds out whether a server listens, without a request that it would have to answer. Resolves to false only
 * when the connection is refused or fails.
 */
export function isListening(address: string, clock: Clock): Promise<boolean> {
  const { protocol, hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    });
    const settle = (listens: boolean) => {
      cancel();
      socket.destroy();
      resolve(listens);
    };
    const cancel = clock.after(CONNECT_TIMEOUT_MS, () => settle(true));
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/**
 * Ports that browsers refuse, whatever listens there. A server on one works for programs alone. They are those
 * of the Fetch standard, "port blocking", https://fetch.spec.whatwg.org/#port-blocking.
 */
const UNSAFE_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Log a warning where browsers refuse the port of a server for them. @param url its base address */
export function warnOfUnsafePort(log: Log, url: string): void {
  const { port } = new URL(url);
  if (port !== '' && UNSAFE_PORTS.has(Number(port)))
    log.warn(`browsers refuse port ${port} as unsafe, so no page can call here. Please choose another one.`);
}
