/** Checks that the ports of the demo are free, before anything is started. */
import { createServer } from 'node:net';
import { systemClock } from '#protocol/time/clock.ts';
import { bind, isListening } from '#service/http/listener/ports.ts';
import { commandAgain, type NeededPort } from '../settings.ts';

/** One line about all ports that cannot be used, with the command that avoids them; undefined: none. */
export async function portProblem(
  needed: readonly NeededPort[],
  typed: readonly string[] = [],
): Promise<string | undefined> {
  const reasons = await Promise.all(needed.map((need, index) => reasonOf(need, needed.slice(0, index))));
  const wrong = needed.filter((_need, index) => reasons[index] !== undefined);
  if (wrong.length === 0) return undefined;
  const told = reasons.filter((reason) => reason !== undefined).join(', ');
  const flags = wrong.flatMap(({ flag, freePort }) => [flag, String(freePort)]);
  return `Cannot use ${told}. Please stop the program there, such as another demo, or choose other ports: ${commandAgain(typed, ...flags)}`;
}

async function reasonOf(
  { port, who }: NeededPort,
  others: readonly NeededPort[],
): Promise<string | undefined> {
  const named = `port ${port} of ${who}`;
  const twice = others.find((other) => other.port === port);
  if (twice) return `${named} (wanted by ${twice.who} as well)`;
  // On some systems a program on all addresses does not keep another from listening on 127.0.0.1.
  if (await isListening(`http://127.0.0.1:${port}`, systemClock)) return `${named} (in use)`;
  const code = await bindError(port);
  if (code === undefined) return undefined;
  return code === 'EACCES' ? `${named} (not for this user)` : `${named} (${code})`;
}

async function bindError(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await bind(server, { port });
    await new Promise((resolve) => server.close(resolve));
    return undefined;
  } catch (error) {
    const { code, message } = (error as Error).cause as NodeJS.ErrnoException;
    return code ?? message;
  }
}
