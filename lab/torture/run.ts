/** One torture run: load and faults together until both are done, then the judgement. */
import { PATIENT_COUNT } from '#conformance/roles/ehr-server/world/model/draw-steps.ts';
import { createDraw, type Draw } from '#mis-fixtures/draw.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { type FaultWindow, type Judgement, judge } from './check/judge.ts';
import { Faults, type PlannedFault, planFaults } from './faults.ts';
import type { Secret } from './load/cast.ts';
import { CALLS_PER_GROUP, drive } from './load/drive.ts';
import { CallLedger, type Totals } from './load/ledger.ts';
import { Fleet } from './world/fleet.ts';
import { postgresWorld } from './world/postgres.ts';
import { sqliteWorld } from './world/sqlite.ts';
import type { TortureWorld } from './world/world.ts';

export type Engine = 'sqlite' | 'postgres';

export type TortureOptions = {
  engine: Engine;
  seed: number;
  /** Minimum number of calls. */
  operations: number;
  processes: number;
  kills: number;
  databaseRestarts: number;
  cuts: number;
  /** More settings of the EHR processes. */
  env?: Readonly<Record<string, string>>;
};

export type TortureParts = {
  clock: Clock;
  /** Writes a line of progress. */
  log: (line: string) => void;
  /** Aborts the run: it rejects with the signal's reason and removes everything that it created. */
  signal?: AbortSignal;
};

export type TortureResult = Judgement & {
  options: TortureOptions;
  totals: Totals;
  faults: Readonly<Record<string, number>>;
  windows: FaultWindow[];
  milliseconds: number;
  /** The newest lines that the EHR processes logged. They log errors only. */
  logs: string[];
};

export const SECRET: Secret = { user: 'auth-server', password: 'torture-password' };

export const ehrEnvironment: Readonly<Record<string, string>> = {
  EHR_PORT: '0',
  EHR_INTERNAL_USER: SECRET.user,
  EHR_INTERNAL_PASSWORD: SECRET.password,
  EHR_LOG_LEVEL: 'error',
  EHR_RATE_LIMIT: 'off',
  EHR_FAILED_MATCHES_PER_HOUR: '1000000',
  // Calls that race for one row wait for it in turn. A slow machine is no fault of the server.
  EHR_DATABASE_TIMEOUT: '40000',
};

/**
 * Runs load and faults and judges the result.
 * @throws what ended the run before it could be judged
 */
export async function runTorture(options: TortureOptions, parts: TortureParts): Promise<TortureResult> {
  const { engine, processes } = options;
  // Groups that end early need more patients: there are some for four times the calls.
  const maxGroups = Math.ceil((4 * options.operations) / CALLS_PER_GROUP) + 50;
  const patients = maxGroups * PATIENT_COUNT;
  parts.log(`${engine}: preparing a database, ${patients} patients, processes: ${processes}`);
  const world = engine === 'sqlite' ? sqliteWorld(patients) : await postgresWorld(patients);
  const env = { ...world.env, ...ehrEnvironment, ...options.env };
  const fleet = new Fleet({ size: processes, env, clock: parts.clock });
  try {
    const run = playAndJudge(world, fleet, maxGroups, options, parts);
    return await (parts.signal ? Promise.race([run, abortOf(parts.signal)]) : run);
  } finally {
    await fleet.stop('SIGKILL');
    await world.close();
  }
}

async function playAndJudge(
  world: TortureWorld,
  fleet: Fleet,
  maxGroups: number,
  options: TortureOptions,
  { clock, log }: TortureParts,
): Promise<TortureResult> {
  const begun = clock.now();
  await fleet.start();
  const ledger = new CallLedger(clock);
  const rng = createDraw(options.seed);
  const faults = new Faults({ fleet, world, clock, rng });
  const planned = planFaults({ ...options, hasServer: world.server !== undefined }, rng);
  const say = (line: string) => log(`${options.engine}: ${line}`);
  let isStruck = false;
  const strike = strikeAll(planned, options.operations, ledger, faults, say).then(() => {
    isStruck = true;
  });
  const { seed } = options;
  const pick = (draw: Draw) => fleet.pick(draw);
  const settled = () => faults.databaseSettled();
  const load = drive({ seed, ledger, secret: SECRET, pick, maxGroups, isOver: () => isStruck, settled }).then(
    () => {
      if (!isStruck) throw new Error('Every patient was used before the run was over.');
    },
  );
  await Promise.race([Promise.all([load, strike]), faults.failed]);
  await faults.settled();
  await fleet.stop('SIGTERM');
  say(`checking ${ledger.groups.length} groups`);
  const { counts, windows } = faults;
  const judgement = await judge({ groups: ledger.groups, rows: await world.read(), windows });
  const end = { milliseconds: clock.now() - begun, logs: fleet.logs };
  return { options, totals: ledger.totals, faults: counts, windows, ...judgement, ...end };
}

/** Brings the faults about, each when its number of calls is done, and waits for the last call. */
async function strikeAll(
  planned: readonly PlannedFault[],
  operations: number,
  ledger: CallLedger,
  faults: Faults,
  say: (line: string) => void,
): Promise<void> {
  for (const fault of planned) {
    await ledger.reached(fault.at);
    await faults.strike(fault);
    say(`${fault.kind} after ${describeTotals(ledger.totals)}`);
  }
  await ledger.reached(operations);
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

function describeTotals({ acknowledged, refused, unknown }: Totals): string {
  const done = acknowledged + refused + unknown;
  return `${done} calls: ${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown`;
}

const MAX_SHOWN_VIOLATIONS = 10;
const MAX_SHOWN_LOG_LINES = 20;

/** Returns the summary of a run, with each violation, the history of its group and the end of the logs. */
export function summaryOf({
  options,
  totals,
  faults,
  violations,
  checkedCalls,
  milliseconds,
  logs,
}: TortureResult): string {
  const struck = Object.entries(faults).map(([kind, times]) => `${kind} ${times}`);
  const lines = [
    `${options.engine}, seed ${options.seed}, ${(milliseconds / 1000).toFixed(0)} s`,
    `  load        ${describeTotals(totals)}, ${totals.unsent} never sent`,
    `  faults      ${struck.join(', ') || 'none'}`,
    `  checked     ${checkedCalls} calls`,
    `  violations  ${violations.length}`,
  ];
  for (const { rule, message, group, calls, history } of violations.slice(0, MAX_SHOWN_VIOLATIONS)) {
    lines.push('', `${rule}${group === undefined ? '' : ` in group ${group}`}: ${message}`);
    lines.push(...calls.map((call) => `  ${call}`));
    if (history.length > 0)
      lines.push('  All calls of the group, as number [sent..answered] time process step:');
    lines.push(...history.map((call) => `    ${call}`));
  }
  const more = violations.length - MAX_SHOWN_VIOLATIONS;
  if (more > 0) lines.push('', `… and ${more} more; the report has them.`);
  if (violations.length > 0 && logs.length > 0)
    lines.push('', 'The newest lines of the logs:', ...logs.slice(-MAX_SHOWN_LOG_LINES));
  return `${lines.join('\n')}\n`;
}
