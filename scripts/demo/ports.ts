/** Whether the ports that the demo needs are free, asked before anything is started. */
import { connect, createServer } from 'node:net';
import type { NeededPort } from './settings.ts';

const HOST = '127.0.0.1';

/** Lists the ports that cannot be used, one sentence each with the remedy; empty when all are free. */
export async function portProblems(needed: readonly NeededPort[]): Promise<string[]> {
  const problems = await Promise.all(needed.map((need, index) => problemOf(need, needed.slice(0, index))));
  return problems.filter((problem) => problem !== undefined);
}

async function problemOf(need: NeededPort, others: readonly NeededPort[]): Promise<string | undefined> {
  const { port, who } = need;
  const twice = others.find((other) => other.port === port);
  if (twice) return `Port ${port} is wanted twice, by ${twice.who} and by ${who}. ${remedy(need)}`;
  if (await answers(port)) {
    return `Port ${port}, which ${who} needs, is in use. Please stop the program that uses it, or another demo that runs. ${remedy(need)}`;
  }
  const code = await bindError(port);
  if (code === undefined) return undefined;
  const why = code === 'EACCES' ? 'may not be opened by this user' : `cannot be opened (${code})`;
  return `Port ${port}, which ${who} needs, ${why}. ${remedy(need)}`;
}

function remedy({ port, flag, env }: NeededPort): string {
  const free = port < 60_000 ? port + 1_000 : port - 1_000;
  return `To choose another one: npm run demo -- ${flag} ${free} (or the variable ${env}).`;
}

/** A listener on all addresses lets another program have 127.0.0.1 on some systems; knocking finds it. */
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

function bindError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, HOST, () => server.close(() => resolve(undefined)));
  });
}
