/** Starts the contenders on a database and stops them after the group that needed them. */
import type { Bench } from './bench.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from './data/identities.ts';
import type { Program } from './processes/bundle.ts';
import type { Seat } from './processes/pin.ts';
import { type Server, startServer } from './processes/server.ts';

/** A database of sessions and the population that belongs to it. */
export type Data = { database: string; population: string };

export type Starter = {
  ehr(data: Data, env?: Readonly<Record<string, string>>, seat?: Seat): Promise<Server>;
  peer(program: Program, data: Data, flags?: readonly string[]): Promise<Server>;
  /** Starts a program that needs no data. */
  alone(program: Program): Promise<Server>;
};

/** Runs `use` and then, also after a failure, stops every server that it has started. */
export async function withServers<T>(bench: Bench, use: (start: Starter) => Promise<T>): Promise<T> {
  const started: Server[] = [];
  const keep = async (starting: Promise<Server>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const start: Starter = {
    ehr: (data, env = {}, seat = 'server') =>
      keep(startServer(bench.bundles, { program: 'ehr', env: { ...ehrEnvironment(data), ...env }, seat })),
    peer: (program, { database, population }, flags = []) =>
      keep(
        startServer(bench.bundles, {
          program,
          args: ['--database', database, '--mis-database', population, ...flags],
        }),
      ),
    alone: (program) => keep(startServer(bench.bundles, { program })),
  };
  try {
    return await use(start);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

/**
 * Returns the settings of a measured EHR server: those of production, but without the log of every call and
 * the rate limits.
 */
export function ehrEnvironment({ database, population }: Data): Record<string, string> {
  return {
    EHR_PORT: '0',
    EHR_DATABASE: database,
    EHR_MIS_DATABASE: population,
    EHR_INTERNAL_USER: INTERNAL_USER,
    EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD,
    EHR_LOG_LEVEL: 'warn',
    EHR_RATE_LIMIT: 'off',
    EHR_FAILED_MATCHES_PER_HOUR: '1000000',
  };
}
