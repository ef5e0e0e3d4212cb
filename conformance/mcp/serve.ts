/** Serves the Model Context Protocol on two streams until the client is gone. */
import type { Readable, Writable } from 'node:stream';
import { Folder } from './folder.ts';
import { createServer } from './server.ts';
import { Turns } from './turns.ts';

type Streams = {
  input: Readable;
  output: Writable;
  /** Ends the serving. */
  signal: AbortSignal;
  /** The folder to which all paths are limited. */
  directory: string;
};

/** Resolves when the client has closed the input, or the signal aborts, and all runs have ended. */
export async function serve({ input, output, signal, directory }: Streams): Promise<void> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const folder = new Folder(directory);
  const turns = new Turns();
  const transport = new StdioServerTransport(input, output);
  const close = transport.close.bind(transport);
  const closed = new Promise<void>((resolve) => {
    // The SDK calls this however the connection ends.
    transport.close = () => close().finally(resolve);
  });
  const connection = serveStdio(() => createServer({ folder, turns }), { transport });
  signal.addEventListener('abort', () => void connection.close());
  await closed;
  // The SDK has aborted the calls. Their runs stop what they have started.
  await turns.over();
}
