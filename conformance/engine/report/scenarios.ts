/**
 * Divides the journal into its scenarios for the reports, and lists the strays: requests that no party of the
 * run sent, such as those of a port scanner.
 */
import type { Entry, ScenarioEntry } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import type { Report, ReportedScenario } from './schema/schema.ts';

/**
 * Returns the scenarios in the order in which they were played, each with how it ended. `took` is in
 * milliseconds.
 */
export function scenariosOf(
  groups: ReadonlyMap<string, readonly Entry[]>,
  titles: readonly { id: string; title: string }[],
): Omit<ReportedScenario, 'shown' | 'checks'>[] {
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  return [...groups].map(([scenario, own]) => {
    const end = own.find(
      (entry): entry is ScenarioEntry => entry.kind === 'scenario' && entry.phase === 'end',
    );
    return {
      scenario,
      title: titleOf.get(scenario) ?? scenario,
      finished: scenario === '' || end !== undefined,
      ...{ stopped: end?.stopped, absent: end?.absent, notPlayable: end?.notPlayable },
      took: tookOf(own),
      steps: own.filter(({ kind }) => kind === 'step').length,
      exchanges: own.filter(({ kind }) => kind === 'exchange').length,
    };
  });
}

/**
 * How long these entries took, in milliseconds: from the first to the end of the last. Scenarios are played
 * beside each other, so the times of several must not be added.
 */
export function tookOf(entries: readonly Entry[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const entry of entries) {
    first = Math.min(first, entry.at);
    last = Math.max(last, entry.kind === 'exchange' ? entry.endedAt : entry.at);
  }
  return entries.length === 0 ? 0 : last - first;
}

/**
 * Returns the entries of each scenario; those of no scenario are under `''`. An event of the kit itself, or
 * of the server under test as a whole, belongs to every scenario that was being played.
 * @param homes the scenario of each entry by its `seq`
 */
export function byScenario(
  entries: readonly Entry[],
  homes: ReadonlyMap<number, string>,
): Map<string, Entry[]> {
  const underWay = new Set<string>();
  const placed = entries.flatMap((entry) => {
    if (entry.kind === 'scenario') underWay[entry.phase === 'begin' ? 'add' : 'delete'](entry.scenario);
    const isOfAll = (entry.kind === 'silence' || entry.kind === 'server') && underWay.size > 0;
    return (isOfAll ? [...underWay] : [homes.get(entry.seq) ?? '']).map((name) => ({ name, entry }));
  });
  const groups = groupBy(placed, ({ name }) => name);
  return new Map([...groups].map(([name, members]) => [name, members.map(({ entry }) => entry)]));
}

/** Requests of one kind that no party of the run sent. */
type Stray = NonNullable<Report['strays']>[number];

/** Limits the kinds of strays that are listed. */
const MAX_KINDS = 10;

/** Returns the strays of a journal: each kind once, with its number, in the order of arrival. */
export function straysOf(entries: readonly Entry[]): Stray[] {
  const kinds = new Map<string, Stray>();
  for (const entry of entries) {
    if (entry.kind !== 'exchange' || entry.facts.stray === undefined) continue;
    const { link, request } = entry;
    const call = `${request.method} ${request.path.replace(/\?.*$/s, '')}`;
    const because = entry.facts.stray;
    const known = kinds.get(`${link} ${call} ${because}`);
    if (known) known.times++;
    else kinds.set(`${link} ${call} ${because}`, { link, call, because, times: 1 });
  }
  return [...kinds.values()].slice(0, MAX_KINDS);
}

export function straySentence({ strays = [] }: Pick<Report, 'strays'>): string | undefined {
  if (strays.length === 0) return undefined;
  const kinds = strays.map(
    ({ link, call, because, times }) =>
      `${call} on ${link} (${because}${times > 1 ? `, ${times} times` : ''})`,
  );
  return `Requests that nobody of this run sent, listed and not judged: ${kinds.join('; ')}.`;
}
