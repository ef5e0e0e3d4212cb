/** Checks that come with a scenario of their own, as those of EHR servers and clients do. */
import type { ObservationEntry, Party } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Check } from './check.ts';
import type { CheckLevel, Finding } from './verdict.ts';

/** How a check finds the steps of its own scenario. */
export type Steps<L extends string> = {
  /** The last step of this label. @throws Unplayed when it was not played */
  of(label: L): PlayedStep;
  /** The last step of this label; undefined when it was not played. */
  find(label: L): PlayedStep | undefined;
  /** All steps of this label, in order. */
  all(label: L): readonly PlayedStep[];
  /** All steps of the scenario that ended, in order. */
  own(): readonly PlayedStep[];
  /** What the kit noted of a step beside its messages. */
  observed(label: string): ObservationEntry['values'] | undefined;
};

/** A fault, with the steps that show it. */
export type Fault = { expected: string; actual: string; shownBy: readonly PlayedStep[] };

/** What names a check and its scenario alike. */
export type About = Pick<Check, 'id' | 'title' | 'requirements'> & {
  /** MUST unless given. */
  level?: CheckLevel;
};

/** Creates a check that needs the scenario of its own id. */
export function checkOfOwn<L extends string>(
  { id, title, requirements, level = 'MUST' }: About,
  judge: (steps: Steps<L>, journal: JournalView) => Finding,
  red: Check['red'],
): Check {
  return {
    id,
    title,
    level,
    requirements,
    scenarios: [id],
    watchable: false,
    judge: (journal) => unlessUnplayed(() => judge(stepsIn(journal, id), journal)),
    red,
  };
}

/** A failure that the steps of a fault show. */
export function failureOf(
  { shownBy, expected, actual }: Fault,
  { blame, advice }: { blame: Party; advice: string },
): Finding {
  return { outcome: 'fail', expected, actual, evidence: evidenceOf(shownBy), blame, advice };
}

export const evidenceOf = (steps: readonly PlayedStep[]): number[] => steps.flatMap(({ evidence }) => evidence);

/** Thrown when a check asks for a step that was not played. */
class Unplayed extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super();
    this.finding = finding;
  }
}

function unlessUnplayed(judge: () => Finding): Finding {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Unplayed) return error.finding;
    throw error;
  }
}

function stepsIn<L extends string>(journal: JournalView, id: string): Steps<L> {
  const all = (label: L) => journal.steps({ scenario: id, label });
  const find = (label: L) => all(label).at(-1);
  return {
    all,
    find,
    of(label) {
      const played = find(label);
      if (!played) throw new Unplayed(notPlayed(journal, id));
      return played;
    },
    own: () => journal.stepsOf({ id }),
    observed: (label) => journal.observations({ scenario: id, label })[0]?.values,
  };
}

/** Explains why a scenario gives nothing to judge. */
function notPlayed(journal: JournalView, scenario: string): Finding {
  const ending = journal.ending(scenario);
  if (ending?.notPlayable !== undefined) return { outcome: 'not applicable', because: ending.notPlayable };
  if (!ending) return { outcome: 'inconclusive', because: `the scenario ${scenario} was not played`, blame: 'harness' };
  if (ending.stopped) return { outcome: 'inconclusive', ...ending.stopped };
  return { outcome: 'inconclusive', because: `the scenario ${scenario} left out a step`, blame: 'harness' };
}
