/** A check: one object with what is required, how the journal is judged, and the change to a right server's journal that must make it red. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { JournalView } from '../journal/view.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { CheckLevel, Finding } from '../verdict.ts';
import type { RedChange } from './red-change.ts';

export type Check = {
  /** kebab-case, stable: reports, baselines and defects name it. */
  readonly id: string;
  /** What is required, as one plain sentence. */
  readonly title: string;
  readonly level: CheckLevel;
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** Scenarios whose entries it judges; in a watched session it judges whatever crossed. */
  readonly scenarios: readonly string[];
  /** Whether it can judge a session that a person drives, where no scenario says what was intended. */
  readonly watchable: boolean;
  /** For a requirement that is about one method: a call of this method must have crossed for it to be met. */
  readonly shownBy?: Readonly<Partial<Record<RequirementId, string>>>;
  /** A pure function of the journal. */
  readonly judge: (journal: JournalView) => Finding;
  /** The smallest change to the journal of a right server that must make it red. */
  readonly red: RedChange;
};

type Definition = Omit<Check, 'level' | 'watchable' | 'scenarios'> &
  Partial<Pick<Check, 'level' | 'watchable'>> & { scenarios: readonly Pick<Scenario, 'id'>[] };

/** Makes a check of its definition: MUST and not watchable unless it says otherwise. */
export function check({ scenarios, level = 'MUST', watchable = false, ...definition }: Definition): Check {
  return { ...definition, level, watchable, scenarios: scenarios.map(({ id }) => id) };
}
