/** Makes checks of rules that hold for each message of a client, and for each step of a person. */
import type { Check } from '../../../../engine/check/check.ts';
import { type Finding, MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { JudgedId } from '../../../../engine/check/weight.ts';
import type { ExchangeEntry, Link } from '../../../../engine/journal/entry.ts';
import { groupBy } from '../../../../engine/journal/group-by.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { labelOf, type MessageRule } from '../../servers/calls.ts';

/** Scenarios that together have every kind of call; played when `--only` names a rule of messages. */
export const SHOWN_IN = [
  'exchange-token-first',
  'logout-ehr-first',
  'deletion-ehr-first',
  'user-sign-kept',
] as const;

type StepRule = Pick<Check, 'explains'> & {
  id: string;
  title: string;
  requirements: readonly [JudgedId, ...JudgedId[]];
  expected: string;
  advice: string;
};

export type MessageCheck = StepRule & {
  of: (exchange: ExchangeEntry) => boolean;
  /** Further scenarios that show the rule, played before those with every kind of call. */
  alsoIn?: readonly string[];
  /** Selects the calls that carry the value of the rule. Where none does, the rule is not applicable. */
  carries?: (exchange: ExchangeEntry) => boolean;
  /** True: the rule needs what the person typed. In a watched session the kit does not know that. */
  isOfTyped?: true;
  /** True: a client may do without such calls, and then the rule is not applicable. */
  isOptional?: true;
  /** Methods that the client must have called; otherwise the rule is not judged. */
  needs?: readonly string[];
  /** The rule that the kit applied when the message came, or a function that says what is wrong with it. */
  breaks: MessageRule | ((exchange: ExchangeEntry) => string | undefined);
};

export type StepCheck = StepRule & {
  scenarios: readonly string[];
  of: (played: PlayedStep) => boolean;
  wrong: (played: PlayedStep, before: readonly PlayedStep[]) => string | undefined;
};

export const calls =
  (...methods: readonly string[]) =>
  ({ facts }: ExchangeEntry) =>
    facts.call !== undefined && methods.includes(facts.call.method);

export const isCall = ({ link }: ExchangeEntry): boolean => link === 'client->auth' || link === 'client->ehr';

export const on =
  (link: Link) =>
  (exchange: ExchangeEntry): boolean =>
    exchange.link === link;

type Found = { what: string; evidence: readonly number[] };

type LookedAt = {
  found: readonly Found[];
  count: (faults: number) => string;
  shown: readonly number[];
  missing: string | undefined;
};

function findingOf(
  { expected, advice, explains }: StepRule,
  { found, count, shown, missing }: LookedAt,
): Finding {
  const [first] = found;
  if (first) {
    const actual = found.length > 1 ? `${first.what} (${count(found.length)})` : first.what;
    const evidence = found.flatMap((each) => each.evidence).slice(0, MAX_EVIDENCE);
    return {
      ...{ outcome: 'fail', expected, actual, evidence, blame: 'client', advice },
      ...(explains && { explains }),
    };
  }
  if (missing === undefined) return { outcome: 'pass', evidence: shown.slice(0, MAX_EVIDENCE) };
  return { outcome: 'inconclusive', because: missing, blame: 'client' };
}

const named = ({ id, title, requirements }: StepRule) => ({ id, title, requirements });

export function messageCheck(row: MessageCheck): Check {
  const { of, needs = [], alsoIn = [], isOfTyped = false } = row;
  const judge = (journal: JournalView): Finding => {
    const all = [...journal.exchanges('client->auth'), ...journal.exchanges('client->ehr')];
    const shown = all.filter(of);
    const unmade =
      needs.find((method) => !all.some(calls(method))) ?? (shown.length === 0 ? 'such' : undefined);
    const finding = findingOf(row, {
      found: brokenBy(row, shown, journal),
      count: (faults) => `${faults} times`,
      shown: shown.map(({ seq }) => seq),
      missing: unmade && `the client made no ${unmade} call`,
    });
    if (row.isOptional && shown.length === 0 && finding.outcome === 'inconclusive')
      return { outcome: 'not applicable', because: finding.because };
    const { carries } = row;
    if (finding.outcome === 'pass' && carries && !shown.some(carries))
      return { outcome: 'not applicable', because: 'no call of the client carries such a value' };
    // In a watched session, which has no scenarios, the person decides what is done.
    const isWatched = !journal.entries.some(({ kind }) => kind === 'scenario');
    if (finding.outcome !== 'inconclusive' || !isWatched) return finding;
    return { outcome: 'not applicable', because: finding.because };
  };
  const scenarios = [...alsoIn, ...SHOWN_IN];
  return { ...named(row), scenarios, watchable: !isOfTyped, judge };
}

function brokenBy({ breaks }: MessageCheck, shown: readonly ExchangeEntry[], journal: JournalView): Found[] {
  if (typeof breaks !== 'function') {
    const noted = journal.observationsOf(labelOf(breaks));
    return noted.map(({ seq, values }) => ({ what: `${values.method}: ${values.what}`, evidence: [seq] }));
  }
  return shown.flatMap((exchange) => {
    const what = breaks(exchange);
    if (what === undefined) return [];
    return [{ what: `${exchange.facts.call?.method ?? 'a message'}: ${what}`, evidence: [exchange.seq] }];
  });
}

export function stepCheck(row: StepCheck): Check {
  const judge = (journal: JournalView): Finding => {
    const all = journal.allSteps();
    const byScenario = groupBy(all, ({ step }) => step.scenario);
    const shown = all.filter(row.of);
    const found = shown.flatMap((played) => {
      const { scenario, label } = played.step;
      const own = byScenario.get(scenario) ?? [];
      const what = row.wrong(played, own.slice(0, own.indexOf(played)));
      if (what === undefined) return [];
      return [{ what: `${what}, after "${label}" of ${scenario}`, evidence: played.evidence }];
    });
    return findingOf(row, {
      found,
      count: (faults) => `in ${faults} steps`,
      shown: shown.flatMap(({ evidence }) => evidence),
      missing: shown.length > 0 ? undefined : 'no step that shows it has led anywhere',
    });
  };
  const { scenarios } = row;
  return { ...named(row), scenarios, watchable: false, judge };
}
