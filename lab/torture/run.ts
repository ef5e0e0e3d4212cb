/**
 * One torture run: load and faults together until both are done, then the final sweep, then the judgement.
 */
import { createDraw } from '#mis-fixtures/draw.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { type FaultWindow, judge, type Violation } from './check/check.ts';
import { Faults, type PlannedFault, planFaults } from './faults.ts';
import { PATIENT_COUNT } from './load/cast.ts';
import { CALLS_PER_GROUP, drive } from './load/drive.ts';
import { Ledger, type Totals } from './load/ledger.ts';
import { sweep } from './sweep.ts';
import { Fleet, type FleetParts } from './world/fleet.ts';
import { postgresWorld } from './world/postgres.ts';
import { sqliteWorld } from './world/sqlite.ts';
import type { World } from './world/world.ts';

export type Engine = 'sqlite' | 'postgres';

export type TortureOptions = {
  engine: Engine;
  seed: number;
  /** Minimum number of calls. */
  operations: number;
  /** Minimum duration. The same faults are repeated until it is over. */
  milliseconds?: number;
  processes: number;
  kills: number;
  databaseRestarts: number;
  cuts: number;
  /** Groups in progress at a time. */
  groups: number;
  /** Node flags for the EHR processes. A defect is injected with them. */
  nodeFlags?: readonly string[];
  /** More settings of the EHR processes. */
  env?: Readonly<Record<string, string>>;
  /** Settings of the PostgreSQL server. */
  serverSettings?: Readonly<Record<string, string>>;
};

export type TortureParts = {
  clock: Clock;
  /** Writes a line of progress. */
  log: (line: string) => void;
  /** Aborts the run: it rejects with the signal's reason and removes everything that it created. */
  signal?: AbortSignal | undefined;
};

export type TortureResult = {
  options: TortureOptions;
  totals: Totals;
  faults: Readonly<Record<string, number>>;
  windows: FaultWindow[];
  checkedCalls: number;
  searchSteps: number;
  violations: Violation[];
  milliseconds: number;
  /** The newest lines that the EHR processes logged. They log errors only. */
  logs: string[];
};

const SECRET = { user: 'auth-server', password: 'torture-password' };
/** Calls a millisecond that the fastest machine answers: patients are created for that many. */
const MAX_CALLS_PER_MS = 6;
const PROGRESS_INTERVAL_MS = 2_000;

/**
 * Runs load and faults and judges the result.
 * @throws what ended the run before it could be judged
 */
export async function runTorture(options: TortureOptions, parts: TortureParts): Promise<TortureResult> {
  const { clock, log, signal } = parts;
  const begun = clock.now();
  const patients = maxGroupsOf(options) * PATIENT_COUNT;
  log(`${options.engine}: preparing a database, ${patients} patients and ${count(options.processes, 'process', 'es')}`);
  const world = await openWorld(options, patients);
  const fleetParts = {
    name: 'ehr',
    size: options.processes,
    env: { ...world.env, ...ehrEnvironment, ...options.env },
    nodeFlags: options.nodeFlags ?? [],
    clock,
  };
  const fleets = [new Fleet(fleetParts), new Fleet({ ...fleetParts, name: 'sweep', size: 1 })] as const;
  try {
    return await interruptible(runIn(world, fleets, options, parts, begun), signal);
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.stop('SIGKILL')));
    await world.close();
  }
}

async function runIn(
  world: World,
  [fleet, fresh]: readonly [Fleet, Fleet],
  options: TortureOptions,
  { clock, log }: TortureParts,
  begun: number,
): Promise<TortureResult> {
  const { seed, milliseconds = 0 } = options;
  await fleet.start();
  const progress = new Progress(clock, log);
  const ledger = new Ledger(clock, () => progress.tick(() => `${options.engine}: ${describeTotals(ledger.totals)}`));
  const rng = createDraw(seed);
  const faults = new Faults(fleet, world, clock, rng);
  let isStruck = false;
  const strikeAll = async () => {
    for (let offset = 0; offset === 0 || clock.now() - begun < milliseconds; offset += options.operations) {
      for (const fault of plan(options, world, rng)) {
        await ledger.reached(offset + fault.at);
        await faults.strike(fault);
        log(`${options.engine}: ${fault.kind} after ${ledger.done} calls`);
      }
      await ledger.reached(offset + options.operations);
    }
    isStruck = true;
  };
  const load = drive({
    seed,
    fleet,
    ledger,
    secret: SECRET,
    groups: options.groups,
    maxGroups: maxGroupsOf(options),
    isOver: () => isStruck,
    settled: () => faults.databaseSettled(),
  });
  await Promise.race([Promise.all([load, strikeAll()]), faults.failed]);
  await faults.settled();
  await fleet.stop('SIGTERM');
  const totals = { ...ledger.totals };

  await fresh.start();
  await sweep(fresh, ledger, SECRET, (done, total) =>
    progress.tick(() => `${options.engine}: asking a fresh process about everything, group ${done} of ${total}`),
  );
  await fresh.stop('SIGTERM');
  const rows = await world.read();
  const judgement = await judge({ groups: ledger.groups, rows, windows: faults.windows }, (done, total) =>
    progress.tick(() => `${options.engine}: checking, group ${done} of ${total}`),
  );
  return {
    options,
    totals,
    faults: faults.counts,
    windows: faults.windows,
    ...judgement,
    milliseconds: clock.now() - begun,
    logs: [...fleet.logs, ...fresh.logs],
  };
}

export function describeTotals({ acknowledged, refused, unknown }: Totals): string {
  return `${acknowledged + refused + unknown} calls: ${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown`;
}

const ehrEnvironment: FleetParts['env'] = {
  EHR_PORT: '0',
  EHR_INTERNAL_USER: SECRET.user,
  EHR_INTERNAL_PASSWORD: SECRET.password,
  EHR_LOG_LEVEL: 'error',
  EHR_RATE_LIMIT: 'off',
  EHR_FAILED_MATCHES_PER_HOUR: '1000000',
};

function plan(options: TortureOptions, world: World, rng: ReturnType<typeof createDraw>): PlannedFault[] {
  const { kills, databaseRestarts: restarts, cuts, operations } = options;
  return planFaults({ kills, restarts, cuts, operations, hasServer: world.server !== undefined }, rng);
}

function maxGroupsOf({ operations, milliseconds = 0, groups }: TortureOptions): number {
  return Math.ceil((Math.max(operations * 2, milliseconds * MAX_CALLS_PER_MS) / CALLS_PER_GROUP) * 2) + groups;
}

function openWorld({ engine, serverSettings }: TortureOptions, patients: number): Promise<World> {
  return engine === 'sqlite' ? Promise.resolve(sqliteWorld(patients)) : postgresWorld(patients, serverSettings);
}

function interruptible<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    }),
  ]);
}

function count(number: number, one: string, more: string): string {
  return `${number} ${one}${number === 1 ? '' : more}`;
}

/** Logs progress every two seconds. The line is computed only when it is due. */
class Progress {
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  #said: number;

  constructor(clock: Clock, log: (line: string) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#said = clock.now();
  }

  tick(line: () => string): void {
    const now = this.#clock.now();
    if (now - this.#said < PROGRESS_INTERVAL_MS) return;
    this.#said = now;
    this.#log(line());
  }
}
