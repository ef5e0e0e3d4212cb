/** What every peer does around its HTTP: reads its command line, opens the databases, and listens. */
import { createServer, type RequestListener } from 'node:http';
import { parseArgs } from 'node:util';
import { bind } from '#service/http/listener/bind.ts';
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
  void bind(server).then((port) => process.stdout.write(`Ready at http://127.0.0.1:${port}\n`));
  return work;
}
