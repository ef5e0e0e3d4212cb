/** Rules for single calls on the internal channel, whichever step they belong to. */

import { type Check, check } from '../../../engine/check/check.ts';
import {
  allOf,
  inconclusive,
  NO_INTERNAL_CALLS,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
} from '../../../engine/check/judging.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { crowd, firstLink, manyTokens, returningUser } from '../flows/links/linking.ts';
import { REDIRECT_PATH } from '../flows/trouble/odd-replies.ts';

type Rule = Pick<Check, 'id' | 'title' | 'requirements' | 'red'> &
  Partial<Pick<Check, 'level' | 'shownBy' | 'watchable'>> & {
    /** The first link and the return of a user unless given. */
    scenarios?: readonly { readonly id: string }[];
    expected: string;
    advice: string;
    /** Selects the calls to judge; all JSON-RPC calls unless given. */
    of?: (journal: JournalView) => ExchangeEntry[];
    /** Describes what is wrong with a call; undefined when it is right. */
    wrong: (exchange: ExchangeEntry) => string | undefined;
    /** The reason of an inconclusive finding where there is no such call. */
    nothing?: string;
    /** What must have happened for a pass, and the reason of an inconclusive finding where it did not. */
    control?: { seen: (journal: JournalView) => boolean; because: string };
  };

export function rule({
  expected,
  advice,
  of = (journal) => journal.internalCalls,
  wrong,
  nothing = NO_INTERNAL_CALLS,
  control,
  scenarios = [firstLink, returningUser],
  watchable = true,
  ...about
}: Rule): Check {
  return check({
    ...about,
    scenarios,
    watchable,
    judge(journal) {
      const finding = allOf(of(journal), wrong, { expected, advice, nothing });
      if (finding.outcome !== 'pass' || !control || control.seen(journal)) return finding;
      return inconclusive(control.because, finding.evidence);
    },
  });
}

export const saves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
export const tokenSaves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN);
/** Everything that was sent to the EHR server, JSON-RPC or not. */
export const anything = (journal: JournalView) =>
  journal.exchanges('auth->ehr').filter(({ request }) => !request.path.startsWith(REDIRECT_PATH));
export const NO_SAVE = 'no save_auth_info was sent';
export const NO_TOKEN_SAVE = 'no save_exchange_token was sent';

/** Scenarios without injected faults or deliberate mistakes. */
export const UNDISTURBED: ReadonlySet<string> = new Set([
  // The doctor's own steps.
  '',
  firstLink.id,
  returningUser.id,
  manyTokens.id,
  crowd.id,
]);
