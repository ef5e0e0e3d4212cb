/** What the parts of the report's page look up: verdicts by check, and entries by scenario. */
import { scenarioOf } from '../../journal/attribution.ts';
import type { Places } from '../diagram/scenes.ts';
import { byScenario } from '../scenarios.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { outcomesInOrder } from '../words.ts';

export type View = {
  report: Report;
  /** In the order of the page: the worst first, and then by cause. */
  verdicts: readonly ReportedVerdict[];
  verdictOf: ReadonlyMap<string, ReportedVerdict>;
  places: Places;
};

export function viewOf(report: Report): View {
  const { entries } = report;
  const homes = new Map(entries.map((entry) => [entry.seq, scenarioOf(entry) ?? '']));
  return {
    report,
    verdicts: inOrderOfCause(report),
    verdictOf: new Map(report.verdicts.map((verdict) => [verdict.check, verdict])),
    places: { groups: byScenario(entries, homes), homes },
  };
}

export const orderOf = ({ outcome }: Pick<ReportedVerdict, 'outcome'>): number =>
  outcomesInOrder.indexOf(outcome);

function inOrderOfCause({ verdicts, causes }: Report): ReportedVerdict[] {
  const order = new Map(causes.flatMap(({ checks }) => checks).map((check, index) => [check, index]));
  return [...verdicts].sort(
    (a, b) => orderOf(a) - orderOf(b) || (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0),
  );
}
