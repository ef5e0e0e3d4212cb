/** A scenario: what the harness does in the clients' place, so that the checks have something to judge. */
import type { StepName } from '../journal/entry.ts';
import type { Driver } from '../player/driver.ts';

/** A step of a scenario as the journal names it. Checks find their steps by the labels that the scenario exports. */
export type Label = { readonly scenario: string; readonly label: string };

/** Names of steps; a function where a step is repeated with something else each time. */
type StepTable = Readonly<Record<string, string | ((...about: never[]) => string)>>;

export type Labels<T extends StepTable> = {
  readonly [Name in keyof T]: T[Name] extends (...about: infer About) => string ? (...about: About) => Label : Label;
};

/** When a scenario runs: by itself and first, beside others, or by itself after all others. */
export type When = 'alone' | 'together' | 'last';

export type Scenario<T extends StepTable = StepTable> = {
  /** kebab-case; checks and `--only` name it. */
  readonly id: string;
  /** What is done, as one plain sentence. */
  readonly title: string;
  /** Steps without which there is nothing to do. */
  readonly needs: readonly StepName[];
  /** Together unless given. */
  readonly when: When;
  /** So many people are needed at the same moment; 1 unless given. */
  readonly people: number;
  /** Time that it lets pass, in seconds, where that is known beforehand. */
  readonly waits: (times: Times) => number;
  /** Whether it meets calls that are never answered: it takes as long as the server under test waits for an answer. */
  readonly meetsSilence: boolean;
  /** So many codes it requests, about. */
  readonly codes: number;
  readonly steps: Labels<T>;
  /** Runs it; a {@link ScenarioStopped} ends it early, and what was done is judged. */
  readonly run: (driver: Driver) => Promise<void>;
};

/** Spans of time of the server under test, in seconds, as its adapter file states them. */
export type Times = { resend: number; codeLifetime: number; session: number | undefined };

type Definition<T extends StepTable> = Pick<Scenario, 'id' | 'title' | 'needs'> &
  Partial<Pick<Scenario, 'when' | 'people' | 'waits' | 'meetsSilence' | 'codes'>> & {
    steps: T;
    run: (driver: Driver, steps: Labels<T>) => Promise<void>;
  };

/** Makes a scenario of its definition: its steps become labels that carry its id. */
export function scenario<const T extends StepTable>(definition: Definition<T>): Scenario<T> {
  const { id, steps, run, when = 'together', people = 1, waits = () => 0, meetsSilence = false, ...about } = definition;
  // One for each person, and one after each pause between two codes, unless given.
  const { codes = people + waits({ resend: 1, codeLifetime: 0, session: undefined }) } = definition;
  const labels = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      typeof step === 'string'
        ? { scenario: id, label: step }
        : (...given: never[]) => ({ scenario: id, label: step(...given) }),
    ]),
  ) as Labels<T>;
  return {
    ...about,
    id,
    when,
    people,
    waits,
    meetsSilence,
    codes,
    steps: labels,
    run: (driver) => run(driver, labels),
  };
}

/** A part of a step that consists of several, such as a sign-in that begins with the request of a code. */
export function part({ scenario: id, label }: Label, name: LinkPart | 'request a code'): Label {
  return { scenario: id, label: `${label}: ${name}` };
}

/** The steps of a link, in order. */
export type LinkPart = 'exchange token' | 'authenticate' | 'report';
