/** A check: what is required, how a journal is judged, and the change that must make a right one fail. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { JournalView } from '../journal/view.ts';
import type { RedChange } from './red-change.ts';
import type { CheckLevel, Finding } from './verdict.ts';

export type Check = {
  /** kebab-case and stable: reports, baselines and defects refer to it. */
  readonly id: string;
  /** The requirement, as one plain sentence. */
  readonly title: string;
  readonly level: CheckLevel;
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** Scenarios whose entries it judges. In a watched session it judges everything that crossed. */
  readonly scenarios: readonly string[];
  /** Whether it can judge a session driven by a person, where no scenario states what was intended. */
  readonly watchable: boolean;
  /** For a requirement about one method: the method that must have been called for it to be met. */
  readonly shownBy?: Readonly<Partial<Record<RequirementId, string>>>;
  /** Pure: depends on the journal only. */
  readonly judge: (journal: JournalView) => Finding;
  /** A change to a right party's journal that must fail the check; derived unless given. */
  readonly red?: RedChange | undefined;
};
