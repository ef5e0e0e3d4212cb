/** One torture run: load and faults together until both are done, then the last questions, then the judgement. */
import { createDraw } from '#mis-fixtures/draw.ts';
import type { Clock } from '#protocol/clock.ts';
import { type FaultWindow, judge, type Violation } from './check/check.ts';
import { Faults, type PlannedFault, planFaults } from './faults.ts';
import { PATIENTS } from './load/cast.ts';
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
  /** Calls at least. */
  operations: number;
  /** Goes on, with the same faults over and over, for at least so long. */
  milliseconds?: number;
  processes: number;
  kills: number;
  databaseRestarts: number;
  cuts: number;
  /** Groups played at a time. */
  groups: number;
  /** Flags of Node for the EHR processes: how a defect is planted. */
  nodeFlags?: readonly string[];
  /** More settings of the EHR processes. */
  env?: Readonly<Record<string, string>>;
  /** Settings of the PostgreSQL server. */
  serverSettings?: Readonly<Record<string, string>>;
};

export type TortureParts = {
  clock: Clock;
  /** Says what is going on. */
  say: (line: string) => void;
  /** Ends the run: it rejects with the signal's reason, and leaves nothing behind. */
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
  /** The newest lines that the EHR processes logged: errors alone. */
  logs: string[];
};

const SECRET = { user: 'auth-server', password: 'torture-password' };
/** Slow machines answer fewer; so many there are patients for, in calls a millisecond. */
const FASTEST = 6;
const TICK = 2_000;

/** @throws what ended the run before it could be judged */
export async function runTorture(options: TortureOptions, parts: TortureParts): Promise<TortureResult> {
  const { clock, say, signal } = parts;
  const begun = clock.now();
  const patients = maxGroupsOf(options) * PATIENTS;
  say(`${options.engine}: preparing a database, ${patients} patients and ${count(options.processes, 'process', 'es')}`);
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
  { clock, say }: TortureParts,
  begun: number,
): Promise<TortureResult> {
  const { seed, milliseconds = 0 } = options;
  await fleet.start();
  const progress = new Progress(clock, say);
  const ledger = new Ledger(clock, () => progress.tick(() => `${options.engine}: ${describeTotals(ledger.totals)}`));
  const dice = createDraw(seed);
  const faults = new Faults(fleet, world, clock, dice);
  let isStruck = false;
  const strikeAll = async () => {
    for (let offset = 0; offset === 0 || clock.now() - begun < milliseconds; offset += options.operations) {
      for (const fault of plan(options, world, dice)) {
        await ledger.reached(offset + fault.at);
        await faults.strike(fault);
        say(`${options.engine}: ${fault.kind} after ${ledger.done} calls`);
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

function plan(options: TortureOptions, world: World, dice: ReturnType<typeof createDraw>): PlannedFault[] {
  const { kills, databaseRestarts: restarts, cuts, operations } = options;
  return planFaults({ kills, restarts, cuts, operations, hasServer: world.server !== undefined }, dice);
}

function maxGroupsOf({ operations, milliseconds = 0, groups }: TortureOptions): number {
  return Math.ceil((Math.max(operations * 2, milliseconds * FASTEST) / CALLS_PER_GROUP) * 2) + groups;
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

/** Says something every two seconds, and only then thinks about what. */
class Progress {
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  #said: number;

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
    this.#said = clock.now();
  }

  tick(line: () => string): void {
    const now = this.#clock.now();
    if (now - this.#said < TICK) return;
    this.#said = now;
    this.#say(line());
  }
}
