/**
 * Runs an authorization server of the self-test in this process, and restarts it. Its state outlives a
 * restart in a directory of its own.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { ServerDies } from '../defects/trouble/sending.ts';
import type { ServedInProcess } from '../server-under-test.ts';

/** A running server: its port, and the port of its test control where it has one. */
type Started = { port: number; controlPort?: number | undefined; close: () => Promise<void> };

/** The directory for all servers of this process; undefined until the first server starts. */
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

/** Starts a server on free ports, which a restart reuses. */
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
