/** The questions that checks ask of a journal, so that each check reads as its sentence. */
import type { Entry, ExchangeEntry, Link, OutcomeEntry, ScenarioEntry, StepEntry, StepResult } from './entry.ts';

/** A step with how it ended and what crossed the wire meanwhile. */
export type PlayedStep = {
  step: StepEntry;
  result: StepResult;
  took: number;
  /** Exchanges that began while the step was under way, in order. */
  exchanges: ExchangeEntry[];
  /** The step entry, its exchanges and its outcome, for evidence. */
  evidence: number[];
};

export class JournalView {
  readonly entries: readonly Entry[];
  readonly #steps: PlayedStep[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    this.#steps = playedSteps(entries);
  }

  /** Exchanges on a link, of one JSON-RPC method if it is named; in order. */
  exchanges(link: Link, method?: string): ExchangeEntry[] {
    return this.entries.filter(
      (entry): entry is ExchangeEntry =>
        entry.kind === 'exchange' &&
        entry.link === link &&
        (method === undefined || entry.facts.call?.method === method),
    );
  }

  /** Calls of the authorization server to the EHR server, of the two save methods. */
  get internalCalls(): ExchangeEntry[] {
    return this.exchanges('auth->ehr').filter(({ facts }) => facts.call !== undefined);
  }

  /** Steps of a scenario that ended, by label if it is given; in order. */
  steps(scenario: string, label?: string): PlayedStep[] {
    return this.#steps.filter(
      ({ step }) => step.scenario === scenario && (label === undefined || step.label === label),
    );
  }

  /** The one step of this label, if it was played. */
  step(scenario: string, label: string): PlayedStep | undefined {
    return this.steps(scenario, label)[0];
  }

  /** All steps of one kind in all scenarios. */
  allSteps(name: StepEntry['step']): PlayedStep[] {
    return this.#steps.filter(({ step }) => step.step === name);
  }

  /** How a scenario ended; undefined when it is not in the journal. */
  ending(scenario: string): { stopped?: ScenarioEntry['stopped']; absent?: ScenarioEntry['absent'] } | undefined {
    const own = this.entries.filter(
      (entry): entry is ScenarioEntry => entry.kind === 'scenario' && entry.scenario === scenario,
    );
    if (own.length === 0) return undefined;
    return (
      own.find(({ phase }) => phase === 'end') ?? {
        stopped: { because: 'the run was broken off', blame: 'environment' },
      }
    );
  }

  /** Whether a scenario began and did not end, or never began in a run that is not `finished`. */
  brokenOff(scenario: string, finished: boolean): boolean {
    const phases = this.entries.flatMap((entry) =>
      entry.kind === 'scenario' && entry.scenario === scenario ? [entry.phase] : [],
    );
    return phases.includes('begin') ? !phases.includes('end') : !finished;
  }
}

function playedSteps(entries: readonly Entry[]): PlayedStep[] {
  const outcomes = new Map<number, OutcomeEntry>();
  for (const entry of entries) if (entry.kind === 'outcome') outcomes.set(entry.step, entry);
  const exchanges = entries.filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');
  const steps = entries.filter((entry): entry is StepEntry => entry.kind === 'step');
  return steps.flatMap((step) => {
    const outcome = outcomes.get(step.seq);
    if (!outcome) return [];
    // The journal is ordered by seq, and an exchange takes its seq when it begins. Where actors are at work at the same
    // time, the order does not tell whose exchange it was: checks of such scenarios go by the values.
    const alone = !steps.some(
      (other) =>
        other !== step &&
        other.seq < outcome.seq &&
        (outcomes.get(other.seq)?.seq ?? Number.POSITIVE_INFINITY) > step.seq,
    );
    const during = alone ? exchanges.filter(({ seq }) => seq > step.seq && seq < outcome.seq) : [];
    const evidence = [step.seq, ...during.map(({ seq }) => seq), outcome.seq];
    return [{ step, result: outcome.result, took: outcome.took, exchanges: during, evidence }];
  });
}
