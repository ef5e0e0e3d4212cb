/** What was played: each scenario of a journal with how far it went. */
import type { Entry, ScenarioEntry } from '../journal/entry.ts';
import type { ReportedScenario } from './schema.ts';

/** The scenarios in the order in which they were played. */
export function scenariosOf(
  entries: readonly Entry[],
  titles: readonly { id: string; title: string }[],
): ReportedScenario[] {
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  return [...byScenario(entries)].map(([scenario, own]) => {
    const end = own.find((entry): entry is ScenarioEntry => entry.kind === 'scenario' && entry.phase === 'end');
    const times = own.map((entry) => (entry.kind === 'exchange' ? entry.endedAt : entry.at));
    return {
      scenario,
      title: titleOf.get(scenario) ?? scenario,
      finished: scenario === '' || end !== undefined,
      ...(end?.stopped && { stopped: end.stopped }),
      ...(end?.absent && { absent: end.absent }),
      took: Math.max(...times) - Math.min(...times),
      steps: own.filter(({ kind }) => kind === 'step').length,
      exchanges: own.filter(({ kind }) => kind === 'exchange').length,
    };
  });
}

/** The entries of each scenario; what belongs to none is under the empty name. */
export function byScenario(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = entry.scenario ?? '';
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return groups;
}
