/**
 * A hostile run: for each attack, measures the caller before, during and after it, and the server's memory.
 */
import type { Clock } from '#protocol/time/clock.ts';
import { type Children, startChildren } from './children.ts';
import { type AttackName, type AttackReport, attackOf, type Latencies } from './messages.ts';
import { type Memory, residentOf, startVictim, type VictimServer } from './server.ts';

export type Row = {
  attack: AttackName;
  rateLimit: 'on' | 'off';
  connections: number;
  report: AttackReport;
  quiet: Latencies;
  under: Latencies;
  /** The latency under attack divided by that in quiet, of the percentile that judges the attack. */
  ratio: number;
  memory: { before: Memory; peak: number; after: Memory };
  /** The limits that were broken, one sentence each. */
  broken: string[];
};

export type RunOptions = {
  attacks: readonly AttackName[];
  /** Rate limits of the server: `on`, the default, or `off`. */
  rateLimit: 'on' | 'off';
  /** Maximum number of connections of an attack. An attack that wants fewer gets fewer. */
  connections: number;
  milliseconds: number;
  rounds: number;
  clock: Clock;
  signal: AbortSignal;
  onStep: (what: string) => void;
  onRow: (row: Row) => void;
};

/** Where bodies are dear to parse, the middle latency of others may grow to this many times that in quiet. */
const MAX_RATIO = 3;
/** Under other attacks, p99 of others. To hold it lower is the part of a proxy in front (decision 53). */
const MAX_P99_MS = 1_000;
/** Latencies in quiet (ms) are taken to be at least this: below, clock resolution and scheduling dominate. */
const MIN_QUIET_MS = { p50: 0.2, p99: 2 } as const;
/**
 * Memory in bytes that may remain after an attack. The allocator returns resident memory late, so its limit
 * is higher.
 */
const MAX_REMAINING_BYTES: Memory = { used: 16 * 2 ** 20, resident: 128 * 2 ** 20 };
const CALLER_COUNT = 4;
const SETTLE_MS = 1_500;
const SAMPLE_INTERVAL_MS = 200;

/** Runs all attacks. Stops every started process at the end. */
export async function runHostile(options: RunOptions): Promise<Row[]> {
  const children = startChildren();
  const kill = () => children.stop();
  options.signal.addEventListener('abort', kill);
  try {
    const rows: Row[] = [];
    for (const party of ['ehr', 'auth'] as const) {
      const attacks = options.attacks.filter((attack) => attackOf(attack).party === party);
      if (attacks.length === 0) continue;
      const victim = await startVictim(party, options.rateLimit);
      try {
        await warmUp(children, victim, options);
        for (const attack of attacks) {
          const row = await withstand(attack, children, victim, options);
          rows.push(row);
          options.onRow(row);
        }
      } finally {
        await victim.stop();
      }
    }
    return rows;
  } finally {
    options.signal.removeEventListener('abort', kill);
    children.stop();
  }
}

/** Warms the server up, so that code and caches loaded once are not counted as the attack's memory. */
async function warmUp(children: Children, { target }: VictimServer, { milliseconds }: RunOptions): Promise<void> {
  await children.measure({ target, milliseconds, connections: CALLER_COUNT });
  const stop = await children.attack('pipelining', 16, target);
  await children.measure({ target, milliseconds, connections: CALLER_COUNT });
  await stop();
}

async function withstand(
  attack: AttackName,
  children: Children,
  { target, memory, pid }: VictimServer,
  { clock, milliseconds, rounds, rateLimit, onStep, ...options }: RunOptions,
): Promise<Row> {
  const { judgedBy, ...wanted } = attackOf(attack);
  const connections = Math.min(options.connections, wanted.connections);
  const pause = (time: number) => new Promise<void>((resolve) => clock.after(time, resolve));
  const look = () => children.measure({ target, milliseconds, connections: CALLER_COUNT });
  const before = await memory();
  const quiet: Latencies[] = [];
  const under: Latencies[] = [];
  let peak = before.resident;
  let report: AttackReport = { made: 0, standing: 0, failed: 0, replies: {} };
  for (let round = 1; round <= rounds; round++) {
    options.signal.throwIfAborted();
    onStep(`${attack}, round ${round} of ${rounds}: quiet`);
    quiet.push(await look());
    onStep(`${attack}, round ${round} of ${rounds}: ${connections} connections`);
    const stop = await children.attack(attack, connections, target);
    let isOver = false;
    const sampling = (async () => {
      for (; !isOver; await pause(SAMPLE_INTERVAL_MS)) peak = Math.max(peak, residentOf(pid));
    })();
    under.push(await look());
    isOver = true;
    await sampling;
    report = await stop();
    await pause(SETTLE_MS);
  }
  quiet.push(await look());
  const after = await memory();
  const row = { attack, rateLimit, connections, report, quiet: middleOf(quiet), under: middleOf(under) };
  const ratio = row.under[judgedBy] / Math.max(MIN_QUIET_MS[judgedBy], row.quiet[judgedBy]);
  return {
    ...row,
    ratio,
    memory: { before, peak, after },
    broken: brokenBy({ ...row, judgedBy, ratio, before, after }),
  };
}

/** Returns the round with the median p99, with the failures of all rounds. */
function middleOf(rounds: readonly Latencies[]): Latencies {
  const sorted = rounds.toSorted((a, b) => a.p99 - b.p99);
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return { ...(sorted[Math.floor((sorted.length - 1) / 2)] as Latencies), failed };
}

type Judged = Pick<Row, 'ratio' | 'quiet' | 'under' | 'report' | 'connections'> & {
  judgedBy: 'p50' | 'p99';
  before: Memory;
  after: Memory;
};

/** Lists the limits that a row breaks. */
export function brokenBy(row: Judged): string[] {
  const { quiet, under, report, connections, before, after } = row;
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return [
    latencyProblem(row),
    under.failed === 0 ? '' : `${under.failed} calls of others failed.`,
    quiet.failed === 0 ? '' : `${quiet.failed} calls of others failed between the attacks.`,
    report.made >= connections ? '' : `only ${report.made} of ${connections} connections could be made.`,
    after.used - before.used <= MAX_REMAINING_BYTES.used
      ? ''
      : `${mebibytes(after.used - before.used)} MiB stayed in use, and not at most ${mebibytes(MAX_REMAINING_BYTES.used)}.`,
    after.resident - before.resident <= MAX_REMAINING_BYTES.resident
      ? ''
      : `${mebibytes(after.resident - before.resident)} MiB stayed resident, and not at most ${mebibytes(MAX_REMAINING_BYTES.resident)}.`,
  ].filter((sentence) => sentence !== '');
}

/** NaN means that nothing was measured, which is a failure. */
function latencyProblem({ judgedBy, ratio, under }: Judged): string {
  if (judgedBy === 'p50')
    return ratio <= MAX_RATIO ? '' : `p50 is ${ratio.toFixed(1)} times that of quiet, and not at most ${MAX_RATIO}.`;
  return under.p99 <= MAX_P99_MS ? '' : `p99 is ${under.p99.toFixed(0)} ms, and not at most ${MAX_P99_MS}.`;
}
