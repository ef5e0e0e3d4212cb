/** A rule of single messages. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { CheckLevel } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS, type MessageRule } from '../../servers/messages.ts';

export type WireCheck = {
  id: string;
  title: string;
  level?: CheckLevel;
  requirements: readonly [RequirementId, ...RequirementId[]];
  /** The messages that show it. */
  of: (exchange: ExchangeEntry) => boolean;
  /** Scenarios that show it better than those with every kind of call. */
  alsoIn?: readonly string[];
  /** It compares with what was typed, which the kit does not know in a watched session. */
  isOfTyped?: true;
  /** Methods without which it was not shown. */
  needs?: readonly string[];
  expected: string;
  advice: string;
} & (
  | { rule: MessageRule }
  | {
      /** Says what is wrong with a message. */
      wrong: (exchange: ExchangeEntry) => string | undefined;
      spoil: (exchange: ExchangeEntry) => void;
    }
);

export const REMOVALS = [EHR_METHODS.logOut, EHR_METHODS.disconnect] as const;

/** Selects the messages that call one of these methods. */
export const calls =
  (...methods: readonly string[]) =>
  ({ facts }: ExchangeEntry) =>
    facts.call !== undefined && methods.includes(facts.call.method);
