/** What every peer does around its HTTP: reads its command line, opens the databases, and listens. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { openWork, type Work } from './methods.ts';

export type { PeerCall, PeerOutcome } from './methods.ts';

/** Reads its settings from flags, and prints the address of a free port on standard output. */
export function listenAsPeer(handler: RequestListener): Work {
  const {
    database = '',
    'mis-database': population = '',
    commit,
  } = parseArgs({
    options: { database: { type: 'string' }, 'mis-database': { type: 'string' }, commit: { type: 'string' } },
  }).values;
  const work = openWork({ database, population, commit: commit === 'call' ? 'call' : 'turn' });
  const server = createServer({ keepAliveTimeout: 65_000 }, handler);
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  return work;
}
