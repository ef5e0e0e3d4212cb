/** A check: a pure function over the journal, bound to requirements and to the scenarios that give it something to judge. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { JournalView } from '../journal/view.ts';
import type { CheckLevel, Finding } from '../verdict.ts';

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
  readonly judge: (journal: JournalView) => Finding;
};
