/** The measured servers: each a process on a database, stopped after the group that needed it. */
import type { Contender } from './contenders.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from './data/identities.ts';
import type { Bench } from './run.ts';

/** A database of sessions and the population that belongs to it. */
export type BenchData = { database: string; population: string };

export type MeasuredServer = {
  port: number;
  /** Returns the CPU time of the process since its start, in microseconds. */
  cpu(): Promise<number>;
};

/**
 * Loaded into every server before its own code. It tells the CPU time, and ends the process with the bench.
 */
const PROBE = `process.on('message', () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
  process.on('disconnect', () => process.exit(0)); process.channel.unref();`;

/** The line in which every program says that it is ready. */
const LISTENING = /http:\/\/127\.0\.0\.1:(\d+).*\n/;

/** Runs `use` and then, also after a failure, stops every server that it has started. */
export async function withServers<T>(
  { children, bundles }: Bench,
  use: (start: (contender: Contender, data: BenchData) => Promise<MeasuredServer>) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<void>)[] = [];
  const start = async ({ program, commit }: Contender, data: BenchData): Promise<MeasuredServer> => {
    const args =
      commit === undefined
        ? []
        : ['--database', data.database, '--mis-database', data.population, '--commit', commit];
    const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
    const child = children.start(['--import', probe, bundles(program), ...args], {
      env: { NODE_ENV: 'production', ...(commit === undefined && ehrEnvironment(data)) },
      seat: 'server',
    });
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

/**
 * Returns the settings of a measured EHR server: those of production, but without the log of every call and
 * the rate limits.
 */
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
