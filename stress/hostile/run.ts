/** A hostile run: for each attack, the measured caller before, during and after it, and the server's memory. */
import type { Clock } from '#protocol/clock.ts';
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
  /** Of the middle or the 99th percentiles, as the attack is judged, under attack to quiet. */
  ratio: number;
  memory: { before: Memory; peak: number; after: Memory };
  /** What broke a limit, one sentence each. */
  broken: string[];
};

export type RunOptions = {
  attacks: readonly AttackName[];
  /** Of the server: on, as it is when nobody says otherwise, or off. */
  rateLimit: 'on' | 'off';
  /** At most so many for each attack; where the attack asks for fewer, it has them. */
  connections: number;
  milliseconds: number;
  rounds: number;
  clock: Clock;
  signal: AbortSignal;
  onStep: (what: string) => void;
  onRow: (row: Row) => void;
};

/** Other callers' times may be so many times what they are in quiet. */
const MAX_RATIO = 3;
/** In quiet they may be so short that the clock's grain and the scheduler are most of them, in milliseconds. */
const LEAST = { p50: 0.2, p99: 2 } as const;
/** What may stay in use after an attack, and in the hands of the allocator, which gives back late. In bytes. */
const MAX_LEFT: Memory = { used: 16 * 2 ** 20, resident: 128 * 2 ** 20 };
const CALLERS = 4;
const SETTLING = 1_500;
const SAMPLE = 200;

/** Runs all of them; whatever was started is stopped at the end. */
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

/** What is loaded and grown once is not the attack's. */
async function warmUp(children: Children, { target }: VictimServer, { milliseconds }: RunOptions): Promise<void> {
  await children.measure({ target, milliseconds, connections: CALLERS });
  const stop = await children.attack('pipelining', 16, target);
  await children.measure({ target, milliseconds, connections: CALLERS });
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
  const look = () => children.measure({ target, milliseconds, connections: CALLERS });
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
      for (; !isOver; await pause(SAMPLE)) peak = Math.max(peak, residentOf(pid));
    })();
    under.push(await look());
    isOver = true;
    await sampling;
    report = await stop();
    await pause(SETTLING);
  }
  quiet.push(await look());
  const after = await memory();
  const row = { attack, rateLimit, connections, report, quiet: middleOf(quiet), under: middleOf(under) };
  const ratio = row.under[judgedBy] / Math.max(LEAST[judgedBy], row.quiet[judgedBy]);
  return {
    ...row,
    ratio,
    memory: { before, peak, after },
    broken: brokenBy({ ...row, judgedBy, ratio, before, after }),
  };
}

/** The round in the middle by its p99, with the failures of all. */
function middleOf(rounds: readonly Latencies[]): Latencies {
  const sorted = rounds.toSorted((a, b) => a.p99 - b.p99);
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return { ...(sorted[Math.floor((sorted.length - 1) / 2)] as Latencies), failed };
}

type Judged = Pick<Row, 'ratio' | 'under' | 'report' | 'connections'> & {
  judgedBy: 'p50' | 'p99';
  before: Memory;
  after: Memory;
};

/** What a row breaks of the limits. */
export function brokenBy({ judgedBy, ratio, under, report, connections, before, after }: Judged): string[] {
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return [
    // NaN, where nothing was measured, is no success.
    ratio <= MAX_RATIO ? '' : `${judgedBy} is ${ratio.toFixed(1)} times that of quiet, and not at most ${MAX_RATIO}.`,
    under.failed === 0 ? '' : `${under.failed} calls of others failed.`,
    report.made >= connections ? '' : `only ${report.made} of ${connections} connections could be made.`,
    after.used - before.used <= MAX_LEFT.used
      ? ''
      : `${mebibytes(after.used - before.used)} MiB stayed in use, and not at most ${mebibytes(MAX_LEFT.used)}.`,
    after.resident - before.resident <= MAX_LEFT.resident
      ? ''
      : `${mebibytes(after.resident - before.resident)} MiB stayed resident, and not at most ${mebibytes(MAX_LEFT.resident)}.`,
  ].filter((sentence) => sentence !== '');
}
