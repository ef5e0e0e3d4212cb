/** The project's promises of speed, judged by the figures of one run. */

import { BARE, BARE_PER_CALL, EHR, EXPRESS } from '../contenders.ts';
import { TABLES } from '../groups.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { connectionsCase, type ResultTable } from './results.ts';
import { medianRatio } from './statistics.ts';

export type TargetVerdict = {
  target: string;
  /** The rate of the EHR server by that of the other; undefined when this run did not measure it. */
  ratio: number | undefined;
  met: boolean | undefined;
};

const GROUPED = [BARE, 0.85, 'durable ≥ 0.85 of bare with the same grouping'] as const;
const SINGLE = [BARE_PER_CALL, 4, 'durable ≥ 4 × a commit per call'] as const;

/** The table, the contender that the EHR server is held against, the ratio that it must reach, and words. */
const TARGETS: readonly (readonly [table: string, other: string, atLeast: number, sentence: string])[] = [
  [TABLES.getPatient, BARE, 0.85, 'get_patient ≥ 0.85 of bare node:http'],
  [TABLES.getPatient, EXPRESS, 3, 'get_patient ≥ 3 × stock express 5'],
  ...[TABLES.saveAuthInfo, TABLES.saveExchangeToken].flatMap((table) =>
    [GROUPED, SINGLE].map(
      ([other, atLeast, words]) =>
        [table, other, atLeast, `${table.replaceAll('-', '_')}, ${words}`] as const,
    ),
  ),
];

export function judge(tables: readonly ResultTable[]): TargetVerdict[] {
  return TARGETS.map(([id, other, atLeast, sentence]) => {
    const judged = connectionsCase(JUDGED_CONNECTIONS);
    const rows = tables.find((table) => table.id === id)?.rows.filter((row) => row.case === judged) ?? [];
    const [ours, theirs] = [EHR, other].map((name) => rows.find(({ of }) => of === name)?.values);
    const ratio = ours && theirs && medianRatio(ours, theirs);
    return { target: `${sentence}, ${judged}`, ratio, met: ratio === undefined ? ratio : ratio >= atLeast };
  });
}
