/** The scenarios of a journal, each with how it ended. */
import { attributionOf } from '../journal/attribution.ts';
import type { Entry, ScenarioEntry } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import type { ReportedScenario } from './schema/schema.ts';

/** Returns the scenarios in the order in which they were played. */
export function scenariosOf(
  entries: readonly Entry[],
  titles: readonly { id: string; title: string }[],
): ReportedScenario[] {
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  return [...byScenario(entries)].map(([scenario, own]) => {
    const end = own.find(
      (entry): entry is ScenarioEntry => entry.kind === 'scenario' && entry.phase === 'end',
    );
    const times = own.map((entry) => (entry.kind === 'exchange' ? entry.endedAt : entry.at));
    return {
      scenario,
      title: titleOf.get(scenario) ?? scenario,
      finished: scenario === '' || end !== undefined,
      ...{ stopped: end?.stopped, absent: end?.absent, notPlayable: end?.notPlayable },
      took: Math.max(...times) - Math.min(...times),
      steps: own.filter(({ kind }) => kind === 'step').length,
      exchanges: own.filter(({ kind }) => kind === 'exchange').length,
    };
  });
}

/** The scenario that an entry names; undefined when it names none. */
export function scenarioOf(entry: Entry): string | undefined {
  return 'scenario' in entry ? entry.scenario : undefined;
}

/**
 * Returns the scenario of each entry by its `seq`, the empty name for entries without one. A server's call
 * names no scenario; it belongs to the one whose user or token it carries.
 */
export function scenariosByEntry(entries: readonly Entry[]): ReadonlyMap<number, string> {
  const attributed = attributionOf(entries);
  return new Map(
    entries.map(
      (entry) => [entry.seq, scenarioOf(entry) ?? attributed.get(entry.seq)?.scenario ?? ''] as const,
    ),
  );
}

/**
 * The entries of each scenario; those without one are under the empty name. Events of the kit or the whole
 * server under test belong to every scenario under way.
 */
export function byScenario(entries: readonly Entry[]): Map<string, Entry[]> {
  const homes = scenariosByEntry(entries);
  const underWay = new Set<string>();
  const placed = entries.flatMap((entry) => {
    if (entry.kind === 'scenario') underWay[entry.phase === 'begin' ? 'add' : 'delete'](entry.scenario);
    const isOfAll = (entry.kind === 'silence' || entry.kind === 'server') && underWay.size > 0;
    return (isOfAll ? [...underWay] : [homes.get(entry.seq) ?? '']).map((name) => ({ name, entry }));
  });
  const groups = groupBy(placed, ({ name }) => name);
  return new Map([...groups].map(([name, own]) => [name, own.map(({ entry }) => entry)]));
}
