/** The measured servers: each a process on a database, stopped after the group that needed it. */
import type { Children, Seat } from '../processes.ts';
import type { Bundles, Program } from './bundle.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from './data/identities.ts';
import type { Bench } from './run.ts';

/** A database of sessions and the population that belongs to it. */
export type BenchData = { database: string; population: string };

export type Server = {
  port: number;
  /** Returns the CPU time of the process since its start, in microseconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
};

export type Starter = {
  ehr(data: BenchData, env?: Readonly<Record<string, string>>, seat?: Seat): Promise<Server>;
  peer(program: Program, data: BenchData, flags?: readonly string[]): Promise<Server>;
  /** Starts a program that needs no data. */
  alone(program: Program): Promise<Server>;
};

/**
 * Loaded into every server before its own code. It tells the CPU time, and ends the process with the bench.
 */
const PROBE = `process.on('message', () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
  process.on('disconnect', () => process.exit(0)); process.channel.unref();`;

/** Runs `use` and then, also after a failure, stops every server that it has started. */
export async function withServers<T>(bench: Bench, use: (start: Starter) => Promise<T>): Promise<T> {
  const started: Server[] = [];
  const start = async (program: Program, { args = [], env = {}, seat = 'server' }: StartOptions = {}) => {
    const server = await startServer(bench.children, bench.bundles, program, { args, env, seat });
    started.push(server);
    return server;
  };
  try {
    return await use({
      ehr: (data, env = {}, seat = 'server') =>
        start('ehr', { env: { ...ehrEnvironment(data), ...env }, seat }),
      peer: (program, { database, population }, flags = []) =>
        start(program, { args: ['--database', database, '--mis-database', population, ...flags] }),
      alone: (program) => start(program),
    });
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

type StartOptions = { args?: readonly string[]; env?: Readonly<Record<string, string>>; seat?: Seat };

async function startServer(
  children: Children,
  bundles: Bundles,
  program: Program,
  { args, env, seat }: Required<StartOptions>,
): Promise<Server> {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = children.start(['--import', probe, bundles(program), ...args], {
    env: { NODE_ENV: 'production', ...env },
    seat,
  });
  const line = await child.line(LISTENING);
  return { port: Number(LISTENING.exec(line)?.[1]), cpu: () => child.ask('cpu'), stop: () => child.end() };
}

/** The line in which every program says that it is ready. */
export const LISTENING = /http:\/\/127\.0\.0\.1:(\d+)/;

/**
 * Returns the settings of a measured EHR server: those of production, but without the log of every call and
 * the rate limits.
 */
export function ehrEnvironment({ database, population }: BenchData): Record<string, string> {
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
