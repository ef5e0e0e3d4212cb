/**
 * Divides the journal into its scenarios, and selects the entries that reports show. All others are in
 * `run.json`. Lists the strays, too: requests that no party of the run sent, such as those of a port scanner.
 */
import type { Verdict } from '../check/verdict.ts';
import type { Entry, ExchangeEntry, ScenarioEntry } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import { outcomesIn } from '../journal/played-steps.ts';
import { type DiagramRow, type Places, scenesOf } from './diagram.ts';
import type { Report, ReportedScenario } from './schema/schema.ts';
import { evidenceOf } from './words.ts';

/** The scenarios in the order in which they were played, each with how it ended. */
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
      stopped: end?.stopped,
      absent: end?.absent,
      notPlayable: end?.notPlayable,
      took: tookOf(own),
      steps: own.filter(({ kind }) => kind === 'step').length,
      exchanges: own.filter(({ kind }) => kind === 'exchange').length,
    };
  });
}

/** From the first entry to the end of the last (ms). Scenarios overlap, so their times must not be added. */
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
 */
export function byScenario(
  entries: readonly Entry[],
  scenarioBySeq: ReadonlyMap<number, string>,
): Map<string, Entry[]> {
  const underWay = new Set<string>();
  const placed = entries.flatMap((entry) => {
    if (entry.kind === 'scenario') underWay[entry.phase === 'begin' ? 'add' : 'delete'](entry.scenario);
    const isOfAll = (entry.kind === 'silence' || entry.kind === 'server') && underWay.size > 0;
    return (isOfAll ? [...underWay] : [scenarioBySeq.get(entry.seq) ?? '']).map((name) => ({ name, entry }));
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

/** The entries, and how many messages from the beginning of each scenario are among them. */
type ShownEntries = { entries: Entry[]; shown: ReadonlyMap<string, number> };

/** How many messages of a scenario are shown: the first number with which the report is not too large. */
const MOST_MESSAGES = [60, 30, 15, 8, 4, 0];
/** Limits the entries as JSON. So many characters are half a megabyte in the page, where they are packed. */
const MAX_CHARS = 8_000_000;
/** Limits the entries that one verdict names. A rule that every message breaks names them all. */
const MAX_EVIDENCE = 250;
/** Limits a body. `run.json` has the whole body. */
const MAX_BODY_CHARS = 8_000;

/** Returns the entries in the order of `seq`. Each names its scenario. */
export function shownEntries(
  all: readonly Entry[],
  verdicts: readonly Verdict[],
  places: Places,
  maxChars = MAX_CHARS,
): ShownEntries {
  const named = new Set(verdicts.flatMap((verdict) => namedBy(verdict, places)));
  let selected: ShownEntries = { entries: [], shown: new Map() };
  for (const most of MOST_MESSAGES) {
    selected = select(all, named, places, most);
    if (JSON.stringify(selected.entries).length <= maxChars) break;
  }
  return selected;
}

/** The entries that a verdict shows. What is not green shows all that it names. */
function namedBy(verdict: Verdict, places: Places): number[] {
  const isGreen = verdict.outcome === 'pass' || verdict.outcome === 'not applicable';
  const evidence = isGreen ? [] : evidenceOf(verdict.finding).slice(0, MAX_EVIDENCE);
  return [...evidence, ...scenesOf(verdict, places).flatMap(({ rows }) => rows.flatMap(seqsOf))];
}

function seqsOf(row: DiagramRow): number[] {
  if (row.kind === 'step') return [row.step.seq];
  if (row.kind === 'call') return [row.exchange.seq];
  return row.kind === 'note' && row.seq !== undefined ? [row.seq] : [];
}

function select(
  all: readonly Entry[],
  named: ReadonlySet<number>,
  { groups, scenarioBySeq }: Places,
  most: number,
): ShownEntries {
  const kept = new Set(named);
  const shown = new Map<string, number>();
  for (const [scenario, own] of groups) {
    const calls = own.filter(({ kind }) => kind === 'exchange');
    const end = calls[most]?.seq ?? Number.POSITIVE_INFINITY;
    for (const { seq } of own) if (seq < end) kept.add(seq);
    shown.set(scenario, Math.min(most, calls.length));
  }
  const outcomes = outcomesIn(all);
  for (const seq of [...kept]) {
    const outcome = outcomes.get(seq);
    if (outcome) kept.add(outcome.seq);
  }
  const isKept = ({ kind, seq }: Entry) => kept.has(seq) || ALWAYS.has(kind);
  const entries = all.filter(isKept).map((entry) => placed(entry, scenarioBySeq.get(entry.seq) ?? ''));
  return { entries, shown };
}

/** There are few of these, and they say what happened to a scenario as a whole. */
const ALWAYS: ReadonlySet<Entry['kind']> = new Set(['scenario', 'server', 'note']);

/** A message with its scenario: a call of the server under test does not name it. */
function placed(entry: Entry, ofCall: string): Entry {
  if (entry.kind !== 'exchange') return entry;
  const { scenario = ofCall, ...rest } = entry;
  return withShortBodies({ ...rest, scenario }, MAX_BODY_CHARS);
}

/** A message whose bodies have at most this number of characters, and say how many they lack. */
export function withShortBodies(exchange: ExchangeEntry, most: number): ExchangeEntry {
  const short = <Side extends { body: string }>(side: Side): Side => {
    const cut = side.body.length - most;
    return cut <= 0 ? side : { ...side, body: side.body.slice(0, most), cut };
  };
  const { request, response } = exchange;
  return { ...exchange, request: short(request), ...(response && { response: short(response) }) };
}
