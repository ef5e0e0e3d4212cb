/** A server in this process that keeps its state in a directory of its own, so that it can be restarted. */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { ServerDies } from '../defects/trouble/sending.ts';
import type { ServedInProcess } from '../server-under-test.ts';

type Started = { port: number; controlPort?: number | undefined; close: () => Promise<void> };

let parent: string | undefined;

/**
 * Makes a directory for one server, inside one directory for all servers of this process. The outer directory
 * is removed at the end of the process: a call that hung may still write its server's state after the server
 * has stopped.
 */
function ownDirectory(): string {
  if (parent === undefined) {
    const directory = temporaryDirectory('ehr-self-test-');
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    parent = directory;
  }
  return mkdtempSync(join(parent, 'server-'));
}

/** Starts it on free ports, which a restart reuses. */
export async function startRestartable(
  start: (directory: string, port: number, controlPort: number) => Promise<Started>,
): Promise<ServedInProcess> {
  const directory = ownDirectory();
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
    },
  };
}

/** Stops the server when a call makes it die. */
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
