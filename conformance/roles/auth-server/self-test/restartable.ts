/**
 * Runs an authorization server of the self-test in this process, and restarts it. Its state outlives a
 * restart in a directory of its own.
 */

import { rmSync } from 'node:fs';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { ServerDies } from '../defects/trouble/trouble.ts';
import type { ServedInProcess } from '../server-under-test.ts';

/** A running server: its port, and the port of its test control where it has one. */
type Started = { port: number; controlPort?: number | undefined; close: () => Promise<void> };

/** Starts a server on free ports, which a restart reuses. Closing it removes the directory. */
export async function startRestartable(
  start: (directory: string, port: number, controlPort: number) => Promise<Started>,
): Promise<ServedInProcess> {
  const directory = temporaryDirectory('ehr-self-test-');
  let server = await start(directory, 0, 0);
  const { port, controlPort = 0 } = server;
  return {
    ports: { auth: port, control: controlPort },
    async restart() {
      await server.close();
      server = await start(directory, port, controlPort);
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes a `fetch` for a variant that dies at a call: when the call throws ServerDies, the server stops. */
export function dying(send: typeof fetch, stop: () => unknown): typeof fetch {
  return async (...args) => {
    try {
      return await send(...args);
    } catch (error) {
      if (error instanceof ServerDies) void stop();
      throw error;
    }
  };
}
