/** Rules that hold in all scenarios: of each message of the client, and of each step of a person. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../../../engine/check/check.ts';
import type { RedChange } from '../../../../engine/check/red-change.ts';
import type { CheckLevel, Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { groupBy } from '../../../../engine/journal/group-by.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import { labelOf, type MessageRule } from '../../servers/message-fault.ts';

/** Scenarios with every kind of call. For a rule of messages alone, `--only` plays no others. */
export const SHOWN_IN = [
  'exchange-token-first',
  'logout-ehr-first',
  'deletion-ehr-first',
  'user-sign-kept',
] as const;

export const REMOVALS = [EHR_METHODS.logOut, EHR_METHODS.disconnect] as const;

type StepRule = {
  id: string;
  title: string;
  /** MUST unless given. */
  level?: CheckLevel;
  requirements: readonly [RequirementId, ...RequirementId[]];
  expected: string;
  advice: string;
};

/** A rule of single messages. */
export type MessageCheck = StepRule & {
  /** The messages that show it. */
  of: (exchange: ExchangeEntry) => boolean;
  /** Scenarios that show it better than those with every kind of call. */
  alsoIn?: readonly string[];
  /** It compares with what was typed, which the kit does not know in a watched session. */
  isOfTyped?: true;
  /** Methods without which it was not shown. */
  needs?: readonly string[];
  /** What the kit noted when the message came, or what is wrong with it. */
  breaks: MessageRule | ((exchange: ExchangeEntry) => string | undefined);
};

/** A rule of single steps. */
export type StepCheck = StepRule & {
  /** Scenarios that show it. `--only` plays no others. */
  scenarios: readonly string[];
  /** The steps that show it. */
  of: (played: PlayedStep) => boolean;
  /** Says what is wrong with a step, given the earlier ones of its scenario. */
  wrong: (played: PlayedStep, before: readonly PlayedStep[]) => string | undefined;
  /** The change to a right client's journal that must fail the check; derived unless given. */
  red?: RedChange;
};

/** Selects the messages that call one of these methods. */
export const calls =
  (...methods: readonly string[]) =>
  ({ facts }: ExchangeEntry) =>
    facts.call !== undefined && methods.includes(facts.call.method);

/** A fault, and the entries that show it. */
type Found = { what: string; evidence: readonly number[] };

type LookedAt = {
  found: readonly Found[];
  /** Says of several faults how many they are. */
  count: (faults: number) => string;
  /** The entries that show that the rule holds. */
  shown: readonly number[];
  /** Why there is nothing to judge; undefined where there is. */
  missing: string | undefined;
};

function findingOf({ expected, advice }: StepRule, { found, count, shown, missing }: LookedAt): Finding {
  const [first] = found;
  if (first) {
    const actual = found.length > 1 ? `${first.what} (${count(found.length)})` : first.what;
    const evidence = found.flatMap((each) => each.evidence).slice(0, MAX_EVIDENCE);
    return { outcome: 'fail', expected, actual, evidence, blame: 'client', advice };
  }
  if (missing === undefined) return { outcome: 'pass', evidence: shown.slice(0, MAX_EVIDENCE) };
  return { outcome: 'inconclusive', because: missing, blame: 'client' };
}

const named = ({ id, title, level = 'MUST', requirements }: StepRule) => ({ id, title, level, requirements });

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
    // In a watched session the person decides what is done.
    const isWatched = !journal.entries.some(({ kind }) => kind === 'scenario');
    if (finding.outcome !== 'inconclusive' || !isWatched) return finding;
    return { outcome: 'not applicable', because: finding.because };
  };
  return { ...named(row), scenarios: [...alsoIn, ...SHOWN_IN], watchable: !isOfTyped, judge };
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
  const { scenarios, red } = row;
  return { ...named(row), scenarios, watchable: false, judge, ...(red && { red }) };
}
