/** Selects the part of a scenario that shows a verdict, short enough to be followed. */
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { DiagramRow } from '../diagram/rows.ts';
import { selectRows } from '../diagram/select.ts';
import { byScenario, scenariosByEntry } from '../scenarios.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { evidenceOf } from '../words.ts';

export type Scene = {
  scenario: string;
  title: string;
  rows: DiagramRow[];
  evidence: ReadonlySet<number>;
  left: number;
};

/** Limits by outcome: a failure deserves room, a pass needs one example. */
const MAX_MESSAGES = { pass: 8, other: 30 };
const MAX_SCENES = { pass: 1, other: 4 };

/** The scenes of every verdict, by check. */
export function scenesOf(run: Run, report: Report): Map<string, Scene[]> {
  const groups = byScenario(run.entries);
  const home = scenariosByEntry(run.entries);
  return new Map(
    report.verdicts.map((verdict) => [verdict.check, scenesOfVerdict(verdict, { groups, home, report })]),
  );
}

type Places = { groups: ReadonlyMap<string, Entry[]>; home: ReadonlyMap<number, string>; report: Report };

function scenesOfVerdict({ finding, outcome }: ReportedVerdict, { groups, home, report }: Places): Scene[] {
  const evidence = new Set(evidenceOf(finding));
  const kind = outcome === 'pass' ? 'pass' : 'other';
  const names = new Set([...evidence].map((seq) => home.get(seq) ?? ''));
  return [...names].slice(0, MAX_SCENES[kind]).map((scenario) => {
    const { rows, left } = selectRows(groups.get(scenario) ?? [], evidence, MAX_MESSAGES[kind]);
    const title = report.scenarios.find((row) => row.scenario === scenario)?.title ?? scenario;
    return { scenario, title, rows, evidence, left };
  });
}
