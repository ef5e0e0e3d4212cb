/** For tests of limits: a run of all checks against a server that does nearly everything wrong. */
import { createHash } from 'node:crypto';
import { requirements } from '#protocol/requirements.ts';
import type { Finding, Verdict } from '../../check/verdict.ts';
import { isJudged, weightOf } from '../../check/weight.ts';
import type { Entry } from '../../journal/entry.ts';
import { FakeFlows, FakeJournal } from './fake-journal.ts';
import { type FakeRun, fakeRunOf } from './fake-run.ts';

/** As many as the largest role has, and some more. */
const SIZES = { checks: 360, scenarios: 200, people: 2 };
/** Of so many checks one passes. */
const ONE_PASSES_OF = 5;

/** Makes the run. Its messages have trace ids, which nothing can compress. */
export function largeRun(): FakeRun {
  const journal = new FakeJournal();
  const flows = new FakeFlows(journal);
  const scenarios = Array.from({ length: SIZES.scenarios }, (_, index) => ({
    id: `scenario-${index}`,
    title: `A scenario of several people, and what is seen in it, number ${index}`,
    seen: playOne(journal, flows, index),
  }));
  const ids = requirements.filter(isJudged).map(({ id }) => id);
  const verdicts = Array.from({ length: SIZES.checks }, (_, index): Verdict => {
    const two = <Item>(items: readonly Item[], step: number): Item[] =>
      [items[index % items.length], items[(index * step) % items.length]].flatMap((item) => item ?? []);
    const played = two(scenarios, 7);
    const cited = two(ids, 3);
    const evidence = played.flatMap(({ seen }) => seen.slice(index % 9, (index % 9) + 4));
    const finding = findingOf(
      index,
      [...new Set(evidence)].sort((a, b) => a - b),
    );
    const check = `a-check-of-this-number-${index}`;
    const title = `What this check requires of the server holds, number ${index}`;
    const about = { check, title, requirements: cited, scenarios: played.map(({ id }) => id) };
    return { ...about, ...weightOf(cited), outcome: finding.outcome, finding } as Verdict;
  });
  const run = fakeRunOf(journal, verdicts, scenarios);
  return { ...run, run: { ...run.run, entries: run.run.entries.map(traced) } };
}

function playOne(journal: FakeJournal, flows: FakeFlows, index: number): number[] {
  const seen: number[] = [];
  journal.scenario(`scenario-${index}`, () => {
    for (let person = 0; person < SIZES.people; person++) {
      const one = { name: `Ann ${person}`, number: index * SIZES.people + person };
      seen.push(...flows.signIn(one), ...flows.link(one));
    }
  });
  return seen;
}

function findingOf(index: number, evidence: number[]): Finding {
  if (index % ONE_PASSES_OF === 0) return { outcome: 'pass', evidence };
  const words = `${hashOf(index).slice(0, 40)} in the body of the answer to the second call of this step`;
  return {
    outcome: 'fail',
    blame: 'auth server',
    evidence,
    expected: `a refusal of ${words}`,
    actual: `it succeeded, and the reply has ${words}`,
    advice: `Look up the session before the call is carried out, and refuse it with ${words}.`,
  };
}

function traced(entry: Entry): Entry {
  if (entry.kind !== 'exchange') return entry;
  const trace = hashOf(entry.seq).slice(0, 32);
  const headers: [string, string][] = [
    ...entry.request.headers,
    ['traceparent', `00-${trace}-${hashOf(-entry.seq).slice(0, 16)}-01`],
  ];
  return { ...entry, trace, request: { ...entry.request, headers } };
}

const hashOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex');
