/** The measured servers: each a process on a database, stopped after the group that needed it. */

import { INTERNAL_PASSWORD, INTERNAL_USER } from './data/identities.ts';
import type { Contender } from './plan.ts';
import { startChild } from './programs.ts';
import type { Bench } from './run.ts';

export type BenchData = { database: string; population: string };

export type MeasuredServer = {
  port: number;
  /** Returns the CPU time of the process since its start, in microseconds. */
  cpu(): Promise<number>;
};

/** Loaded into every server before its own code: tells the CPU time, and ends with the bench. */
const PROBE = `process.on('message', () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
  process.on('disconnect', () => process.exit(0)); process.channel.unref();`;

/** The line in which every program says that it is ready. */
const LISTENING = /http:\/\/127\.0\.0\.1:(\d+).*\n/;

export async function withServers<T>(
  { bundles }: Bench,
  use: (start: (contender: Contender, data: BenchData) => Promise<MeasuredServer>) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  const start = async ({ program, commit }: Contender, data: BenchData): Promise<MeasuredServer> => {
    const args =
      commit === undefined
        ? []
        : ['--database', data.database, '--mis-database', data.population, '--commit', commit];
    const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
    const env = { NODE_ENV: 'production', ...(commit === undefined && ehrEnvironment(data)) };
    const child = startChild('server', ['--import', probe, bundles(program), ...args], env);
    stops.push(() => child.end());
    const [, port] = await child.says(LISTENING);
    return { port: Number(port), cpu: () => child.ask('cpu') };
  };
  try {
    return await use(start);
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

/** The settings of production, without a log of every call and without rate limits. */
function ehrEnvironment({ database, population }: BenchData): Record<string, string> {
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
