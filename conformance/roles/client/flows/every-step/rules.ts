/** Rules that hold in all scenarios: of each message of the client, and of each step of a person. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../../../engine/check/check.ts';
import type { RedChange } from '../../../../engine/check/red-change.ts';
import type { CheckLevel, Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { labelOf, type MessageRule } from '../../servers/message-fault.ts';
import { EHR_METHODS } from '../../servers/messages.ts';

/** Scenarios with every kind of call. For a rule of messages alone, `--only` plays no others. */
export const SHOWN_IN = [
  'exchange-token-first',
  'logout-ehr-first',
  'deletion-ehr-first',
  'user-sign-kept',
] as const;

export const REMOVALS = [EHR_METHODS.logOut, EHR_METHODS.disconnect] as const;

type Rule = {
  id: string;
  title: string;
  /** MUST unless given. */
  level?: CheckLevel;
  requirements: readonly [RequirementId, ...RequirementId[]];
  expected: string;
  advice: string;
};

/** A rule of single messages. */
export type MessageCheck = Rule & {
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
export type StepCheck = Rule & {
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

export function messageCheck(row: MessageCheck): Check {
  const judge = (journal: JournalView): Finding => {
    const shown = [...journal.exchanges('client->auth'), ...journal.exchanges('client->ehr')].filter(row.of);
    const found = brokenBy(row, shown, journal);
    const times = found.length > 1 ? ` (${found.length} times)` : '';
    if (found[0]) return failure(row, `${found[0].what}${times}`, found);
    const missing =
      row.needs?.find((method) => !isPlayed(method, journal)) ?? (shown.length === 0 ? 'such' : undefined);
    if (missing === undefined)
      return { outcome: 'pass', evidence: shown.map(({ seq }) => seq).slice(0, MAX_EVIDENCE) };
    const because = `the client made no ${missing} call`;
    // In a watched session the person decides what is done.
    return isWatched(journal)
      ? { outcome: 'not applicable', because }
      : { outcome: 'inconclusive', because, blame: 'client' };
  };
  return { ...named(row), scenarios: [...(row.alsoIn ?? []), ...SHOWN_IN], watchable: !row.isOfTyped, judge };
}

export function stepCheck(row: StepCheck): Check {
  const judge = (journal: JournalView): Finding => {
    const shown: PlayedStep[] = [];
    const found: (Found & { step: PlayedStep })[] = [];
    for (const steps of byScenario(journal.allSteps())) {
      for (const [at, step] of steps.entries()) {
        if (!row.of(step)) continue;
        shown.push(step);
        const what = row.wrong(step, steps.slice(0, at));
        if (what !== undefined) found.push({ step, what, evidence: step.evidence });
      }
    }
    const [one] = found;
    if (one) {
      const { label, scenario } = one.step.step;
      const times = found.length > 1 ? ` (in ${found.length} steps)` : '';
      return failure(row, `${one.what}, after "${label}" of ${scenario}${times}`, found);
    }
    const evidence = shown.flatMap((step) => step.evidence).slice(0, MAX_EVIDENCE);
    if (shown.length > 0) return { outcome: 'pass', evidence };
    return { outcome: 'inconclusive', because: 'no step that shows it has led anywhere', blame: 'client' };
  };
  return {
    ...named(row),
    scenarios: row.scenarios,
    watchable: false,
    judge,
    ...(row.red && { red: row.red }),
  };
}

function byScenario(steps: readonly PlayedStep[]): PlayedStep[][] {
  const ids = [...new Set(steps.map(({ step }) => step.scenario))];
  return ids.map((id) => steps.filter(({ step }) => step.scenario === id));
}

const named = ({ id, title, level = 'MUST', requirements }: Rule) => ({ id, title, level, requirements });

const failure = ({ expected, advice }: Rule, actual: string, found: readonly Found[]): Finding => ({
  outcome: 'fail',
  expected,
  actual,
  evidence: found.flatMap(({ evidence }) => evidence).slice(0, MAX_EVIDENCE),
  blame: 'client',
  advice,
});

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

const isWatched = ({ entries }: JournalView): boolean => !entries.some(({ kind }) => kind === 'scenario');

const isPlayed = (method: string, journal: JournalView) =>
  [...journal.exchanges('client->auth', method), ...journal.exchanges('client->ehr', method)].length > 0;
