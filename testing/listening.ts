/** Ports that tests open by themselves. */
import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { bind } from '#service/http/listener/ports.ts';

/** Lets a server listen on a free port until the end of the test. Resolves to the port. */
export async function listening(server: Server, host?: string): Promise<number> {
  onTestFinished(() => void server.close());
  return bind(server, { ...(host !== undefined && { host }) });
}
