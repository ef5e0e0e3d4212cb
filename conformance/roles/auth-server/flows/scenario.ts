/** A scenario: what the kit does as the clients, so that the checks have something to judge. */
import type { Check } from '../../../engine/check/check.ts';
import type { Label, StepName } from '../../../engine/journal/entry.ts';
import type { Driver } from '../player/driver.ts';

export type { Label };

/** Names of steps; a function for a step that is repeated with different values. */
type StepTable = Readonly<Record<string, string | ((...about: never[]) => string)>>;

export type Labels<T extends StepTable> = {
  readonly [Name in keyof T]: T[Name] extends (...about: infer About) => string ? (...about: About) => Label : Label;
};

/**
 * When a scenario runs: alone and first, beside others, or alone and last. One that keeps a server busy is
 * alone, but beside others where the server only waits.
 */
export type When = 'alone' | 'busy' | 'together' | 'last';

export type Scenario<T extends StepTable = StepTable> = {
  /** kebab-case; checks and `--only` use it. */
  readonly id: string;
  /** What is done, as one plain sentence. */
  readonly title: string;
  /** Steps that the scenario cannot do without. */
  readonly needs: readonly StepName[];
  /** Together unless given. */
  readonly when: When;
  /** The number of people needed at the same moment; 1 unless given. */
  readonly people: number;
  /** The time (seconds) that it lets pass, where that is known beforehand. */
  readonly waits: (times: Times) => number;
  /** Whether it meets calls that are never answered: then it takes as long as the server under test waits. */
  readonly meetsSilence: boolean;
  /** The approximate number of codes that it requests. */
  readonly codes: number;
  readonly steps: Labels<T>;
  readonly checks: readonly Check[];
  /** Runs the scenario. A {@link ScenarioStopped} ends it early; the steps so far are judged. */
  readonly run: (driver: Driver) => Promise<void>;
};

/** Time spans of the server under test, in seconds, as its adapter file states them. */
export type Times = { resend: number; codeLifetime: number; session: number | undefined };

type Definition<T extends StepTable> = Pick<Scenario, 'id' | 'title' | 'needs'> &
  Partial<Pick<Scenario, 'when' | 'people' | 'waits' | 'meetsSilence' | 'codes'>> & {
    steps: T;
    run: (driver: Driver, steps: Labels<T>) => Promise<void>;
  };

/** Creates a scenario: its steps become labels with its id. */
export function scenario<const T extends StepTable>(definition: Definition<T>): Scenario<T> {
  const { id, steps, run, when = 'together', people = 1, waits = () => 0, meetsSilence = false, ...about } = definition;
  // Unless given: one per person, and one after each pause between two codes.
  const { codes = people + waits({ resend: 1, codeLifetime: 0, session: undefined }) } = definition;
  const labels = labelsOf(id, steps);
  return {
    ...about,
    id,
    when,
    people,
    waits,
    meetsSilence,
    codes,
    steps: labels,
    checks: [],
    run: (driver) => run(driver, labels),
  };
}

/** A flow with the labels that checks elsewhere still name by these words. */
export function withSteps<F extends { id: string }, const T extends StepTable>(
  flow: F,
  steps: T,
): F & { steps: Labels<T> } {
  return { ...flow, steps: labelsOf(flow.id, steps) };
}

function labelsOf<const T extends StepTable>(id: string, steps: T): Labels<T> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      typeof step === 'string'
        ? { scenario: id, label: step }
        : (...given: never[]) => ({ scenario: id, label: step(...given) }),
    ]),
  ) as Labels<T>;
}

/** A part of a step that has several, such as the code request of a sign-in. */
export function part<T extends string | Label>(step: T, name: StepPart): T {
  const named = (label: string) => `${label}: ${name}`;
  return (typeof step === 'string' ? named(step) : { ...(step as Label), label: named(step.label) }) as T;
}

/** What a step of several parts is made of. */
export type StepPart = LinkPart | 'request a code';

/** The parts of a link, in order. */
export type LinkPart = 'exchange token' | 'authenticate' | 'report';
