/**
 * The form of a check. It judges by the recorded journal of a run whether a party (authorization server, EHR
 * server or client) meets a requirement.
 */
import type { RequirementId } from '#protocol/requirements.ts';
import type { JournalView } from '../journal/view.ts';
import type { Finding } from './verdict.ts';
import type { JudgedId } from './weight.ts';

export type Check = {
  /** kebab-case and stable: reports, baselines and defects refer to it. */
  readonly id: string;
  readonly title: string;
  /** Exactly what the check judges: the heaviest of them says how much a fault counts. */
  readonly requirements: readonly [JudgedId, ...JudgedId[]];
  /** Ids of the scenarios whose entries the check judges. In a watched session it judges all entries. */
  readonly scenarios: readonly string[];
  /** Whether the check can judge a session driven by a person, where no scenario states what was intended. */
  readonly watchable: boolean;
  /** Each requirement about one method, with that method: a run without such a call does not show it. */
  readonly shownBy?: Readonly<Partial<Record<RequirementId, string>>>;
  /** Ids of checks that fail by the same fault, where this one shows it best: a report leads with it. */
  readonly explains?: readonly string[] | undefined;
  readonly advice?: string | undefined;
  /** It finds what messages have in them, whenever they came: no stall of the kit is the reason. */
  readonly ofContents?: boolean;
  /** Pure: depends on the journal only. */
  readonly judge: (journal: JournalView) => Finding;
};
