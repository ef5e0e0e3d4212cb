/** Makes the demo answer at other addresses of its machine: its parties stay on loopback. */
import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream';
import { bind } from '#service/http/listener/ports.ts';
import type { DemoConfig } from '../settings.ts';

const LOOPBACK = '127.0.0.1';

/** Returns the ports that a browser needs: no control port, and no internal listener. */
export function publicPorts(config: DemoConfig): number[] {
  const pages = config.console ? [config.consolePort] : [];
  return [config.ehrPort, config.authPort, config.clientPort, ...pages];
}

/** Listens on those ports of every other address, and passes what comes on to loopback. */
export async function publishPorts(config: DemoConfig): Promise<void> {
  const ports = publicPorts(config);
  await Promise.all(otherAddresses().flatMap((host) => ports.map((port) => publish(host, port))));
}

/** Returns the addresses of this machine besides loopback and link-local ones. */
function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter((address) => !address.internal && !(address.family === 'IPv6' && address.scopeid))
    .map(({ address }) => address);
}

/** Listens on a port of `host`, and passes each connection on to port `to` of loopback. */
export async function publish(host: string, port: number, to = port): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const party = connect({ host: LOOPBACK, port: to, allowHalfOpen: true });
    // A side that breaks off ends the other, and nobody is left to tell.
    pipeline(caller, party, () => undefined);
    pipeline(party, caller, () => undefined);
  });
  await bind(server, { host, port });
  return server;
}
