/** Free ports for programs that are started later, so that two runs on one machine do not collide. */
import { createServer, type Server } from 'node:net';
import { systemRandom } from '#protocol/time/random.ts';
import { bind } from './bind.ts';

/**
 * A free port is drawn from these. Systems give a port from 32768 on to whoever asks for any, so one of these
 * is not taken before the party listens on it. Browsers refuse some ports, the last of them 10080.
 */
const [FIRST_PORT, LAST_PORT] = [10_081, 32_767];
/** Limits how many ports are tried. A machine on which all of them are taken has no room for a run. */
const MAX_TRIES = 50;

/** Returns this many ports of 127.0.0.1 that are free now, all different. */
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
