/** Checks that the ports of the demo are free, before anything is started. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { commandAgain } from './command.ts';
import type { NeededPort } from './settings.ts';

const HOST = '127.0.0.1';

/**
 * Lists the ports that cannot be used, one sentence each with the remedy.
 * @param typed the flags of this demo, which the remedy repeats
 */
export async function portProblems(needed: readonly NeededPort[], typed: readonly string[] = []): Promise<string[]> {
  const problems = await Promise.all(
    needed.map((need, index) => problemOf(need, needed.slice(0, index), remedyOf(need, typed))),
  );
  return problems.filter((problem) => problem !== undefined);
}

async function problemOf(
  { port, who }: NeededPort,
  others: readonly NeededPort[],
  remedy: string,
): Promise<string | undefined> {
  const twice = others.find((other) => other.port === port);
  if (twice) return `Port ${port} is wanted twice, by ${twice.who} and by ${who}. ${remedy}`;
  if (await answers(port)) {
    return `Port ${port}, which ${who} needs, is in use. Please stop the program that uses it, or another demo that runs. ${remedy}`;
  }
  const code = await bindError(port);
  if (code === undefined) return undefined;
  const why = code === 'EACCES' ? 'may not be opened by this user' : `cannot be opened (${code})`;
  return `Port ${port}, which ${who} needs, ${why}. ${remedy}`;
}

function remedyOf({ flag, env, freePort }: NeededPort, typed: readonly string[]): string {
  return `To choose another one: ${commandAgain(typed, flag, String(freePort))} (or the variable ${env}).`;
}

/**
 * Tries to connect: on some systems a program on all addresses does not keep another from listening on
 * 127.0.0.1.
 */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Returns this many ports that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listening()));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listening(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, HOST, () => resolve(server));
  });
}

function bindError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, HOST, () => server.close(() => resolve(undefined)));
  });
}
