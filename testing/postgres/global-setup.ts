/** One PostgreSQL for all test files of a run, started when the first of them asks for it. */
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { bind } from '#service/http/listener/ports.ts';
import { type Postgres, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL that answers with the URL of a PostgreSQL for tests. */
    postgresBroker: string;
  }
}

/** Test files run in separate processes, so they ask over HTTP. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Postgres> | undefined;
  const server = createServer(async (_request, response) => {
    // No test cuts the power of this server: it needs no fsync.
    started ??= startPostgres({ settings: { fsync: 'off', max_connections: '200' } });
    try {
      response.end((await started).url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  provide('postgresBroker', `http://127.0.0.1:${await bind(server)}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    const postgres = await started?.catch(() => undefined);
    await postgres?.close();
  };
}
