/** The limits to which an attack is held, and what a row of figures says in the terminal. */
import { attackOf } from './attacks.ts';
import type { AttackRow } from './run.ts';

/** Where bodies are dear to parse, the middle latency of others may grow to this many times that in quiet. */
const MAX_RATIO = 3;
/** Below this latency in quiet (ms), the resolution of the clock and scheduling dominate. */
const MIN_QUIET_MS = 0.2;
/** Under other attacks, p99 of others. To hold it lower is the part of a proxy in front (decision 53). */
const MAX_P99_MS = 1_000;
/** Memory that may remain after an attack. The allocator returns resident memory late. */
const MAX_REMAINING_MIB = { used: 16, resident: 128 } as const;

/** Lists the limits that a row breaks. NaN means that nothing was measured, which breaks them too. */
export function brokenBy(row: AttackRow): string[] {
  const { attack, quiet, under, report, connections, memory } = row;
  const ratio = under.p50 / Math.max(MIN_QUIET_MS, quiet.p50);
  const left = (name: keyof typeof MAX_REMAINING_MIB) => mebibytes(memory.after[name] - memory.before[name]);
  const remains = (name: keyof typeof MAX_REMAINING_MIB, words: string) =>
    [
      left(name) <= MAX_REMAINING_MIB[name],
      `${left(name)} MiB stayed ${words}, and not at most ${MAX_REMAINING_MIB[name]}.`,
    ] as const;
  const limits: readonly (readonly [holds: boolean, otherwise: string])[] = [
    attackOf(attack).judgedBy === 'p50'
      ? [ratio <= MAX_RATIO, `p50 is ${ratio.toFixed(1)} times that of quiet, and not at most ${MAX_RATIO}.`]
      : [under.p99 <= MAX_P99_MS, `p99 is ${under.p99.toFixed(0)} ms, and not at most ${MAX_P99_MS}.`],
    [under.failed === 0, `${under.failed} calls of others failed.`],
    [quiet.failed === 0, `${quiet.failed} calls of others failed between the attacks.`],
    [report.made >= connections, `only ${report.made} of ${connections} connections could be made.`],
    remains('used', 'in use'),
    remains('resident', 'resident'),
  ];
  return limits.flatMap(([holds, otherwise]) => (holds ? [] : [otherwise]));
}

/** Says how one attack was withstood: latencies in quiet and under attack, and memory before and after. */
export function rowText(row: AttackRow): string {
  const { attack, connections, quiet, under, report } = row;
  const { before, after } = row.memory;
  const latency = (name: 'p50' | 'p99') => `${name} ${quiet[name].toFixed(1)} → ${under[name].toFixed(1)} ms`;
  const memory = (name: 'used' | 'resident') => `${mebibytes(before[name])} → ${mebibytes(after[name])} MiB`;
  const replies = Object.entries(report.replies).map(([status, count]) => `${status}: ${count}`);
  return [
    `${attack}, ${connections} connections`,
    `  ${latency('p50')}, ${latency('p99')}`,
    `  in use ${memory('used')}, resident ${memory('resident')}`,
    `  replies ${replies.join(', ') || 'none'}`,
    ...brokenBy(row).map((sentence) => `  BROKEN: ${sentence}`),
  ].join('\n');
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
