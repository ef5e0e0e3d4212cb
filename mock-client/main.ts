/** Starts the client's server from the command line and prints the address of its page. */
import { warnOfUnsafePort } from '#service/http/listener/ports.ts';
import { createLog } from '#service/process/log.ts';
import { runParty } from '#service/process/run.ts';
import { listenerPair, readClientConfig } from './config.ts';
import { createClientServer } from './server.ts';

await runParty(async () => {
  const config = readClientConfig(process.argv.slice(2), process.env);
  // Help was asked for.
  if (!config) return undefined;
  const { logLevel, ...options } = config;
  const log = createLog('mock-client', logLevel);
  const server = await createClientServer({ ...options, tls: listenerPair(config), log });
  warnOfUnsafePort(log, server.url);
  process.stdout.write(`Client ready at ${server.url}\n`);
  return () => server.close();
});
