/** Selects the scenes of a verdict: the parts of scenarios that show why it was given. */
import type { Entry } from '../../journal/entry.ts';
import type { ReportedVerdict } from '../schema/schema.ts';
import { evidenceOf } from '../words.ts';
import type { DiagramRow } from './rows.ts';
import { selectRows } from './select.ts';

/**
 * A part of a scenario, as rows of a diagram. `evidence` is the `seq` of the entries that the verdict names,
 * `left` the number of messages that are not shown.
 */
export type Scene = { scenario: string; rows: DiagramRow[]; evidence: ReadonlySet<number>; left: number };

/**
 * Limits the messages of a scene by outcome. A failure deserves room; of a pass a short example is enough.
 */
const MAX_MESSAGES = { pass: 8, other: 30 };
/** Limits the scenes of a verdict by outcome. */
const MAX_SCENES = { pass: 1, other: 4 };

/** Entries by scenario, and the scenario of each entry by its `seq`. */
export type Places = { groups: ReadonlyMap<string, readonly Entry[]>; homes: ReadonlyMap<number, string> };

/** Returns one scene for each scenario that the evidence of a verdict is in, up to the limit. */
export function scenesOf(
  { finding, outcome }: Pick<ReportedVerdict, 'finding' | 'outcome'>,
  { groups, homes }: Places,
): Scene[] {
  const evidence = new Set(evidenceOf(finding));
  const kind = outcome === 'pass' ? 'pass' : 'other';
  const names = new Set([...evidence].flatMap((seq) => homes.get(seq) ?? []));
  return [...names].slice(0, MAX_SCENES[kind]).map((scenario) => {
    const { rows, left } = selectRows(groups.get(scenario) ?? [], evidence, MAX_MESSAGES[kind]);
    return { scenario, rows, evidence, left };
  });
}
