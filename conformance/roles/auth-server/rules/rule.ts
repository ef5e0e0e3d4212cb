/** Rules for all messages and sessions of a run, whichever step they belong to. */
import type { Check } from '../../../engine/check/check.ts';
import { findingFrom } from '../../../engine/check/flow.ts';
import type { Judgement, Shown } from '../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { crowd } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { manyTokens } from '../flows/links/many-tokens.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { REDIRECT_PATH } from '../flows/trouble/redirect.ts';
import { NO_INTERNAL_CALLS, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';

type About = Pick<Check, 'id' | 'title' | 'requirements' | 'red'> &
  Partial<Pick<Check, 'level' | 'shownBy' | 'watchable'>> & {
    /** The flows that show it best; those of a first link and a return unless given. */
    scenarios?: readonly { readonly id: string }[];
    advice: string;
    /** What must have happened for a pass, and the reason of an inconclusive finding where it did not. */
    control?: { seen: (journal: JournalView) => boolean; because: string };
  };

export type RuleOfAll<S extends Shown> = About & {
  /** Selects what is judged. */
  of: (journal: JournalView) => readonly S[];
  /** The reason of an inconclusive finding where there is nothing of the kind. */
  nothing: string;
  /** Judges them beside each other. Undefined: they are right. */
  judge: (all: readonly S[], journal: JournalView) => Judgement;
};

/** A rule that compares messages or sessions with each other. */
export function ruleOfAll<S extends Shown>(definition: RuleOfAll<S>): Check {
  const {
    level = 'MUST',
    scenarios = [firstLink, returningUser],
    watchable = true,
    advice,
    of,
    nothing,
    judge,
    control,
    ...about
  } = definition;
  const judgementOf = (all: readonly S[], journal: JournalView): Judgement => {
    if (all.length === 0) return { unclear: nothing };
    const isShown = control === undefined || control.seen(journal);
    return (
      judge(all, journal) ??
      (isShown ? undefined : { unclear: control.because, shownBy: all.slice(0, MAX_EVIDENCE) })
    );
  };
  return {
    ...about,
    level,
    scenarios: scenarios.map(({ id }) => id),
    watchable,
    judge(journal) {
      const all = of(journal);
      const passes = () => all.slice(0, MAX_EVIDENCE);
      return findingFrom(judgementOf(all, journal), { advice, blame: 'auth server', passes });
    },
  };
}

type Rule = About &
  Partial<Pick<RuleOfAll<ExchangeEntry>, 'of' | 'nothing'>> & {
    expected: string;
    /** Describes what is wrong with a message; undefined when it is right. */
    wrong: (exchange: ExchangeEntry) => string | undefined;
  };

/** A rule for each message: all calls to the EHR server, unless it says of which. */
export function rule({ expected, wrong, ...about }: Rule): Check {
  return ruleOfAll({
    of: (journal) => journal.internalCalls,
    nothing: NO_INTERNAL_CALLS,
    ...about,
    judge: (all) => eachRight(all, wrong, expected),
  });
}

/** Limits the different faults that one sentence names. */
const MAX_NAMED_FAULTS = 4;

function eachRight(all: readonly ExchangeEntry[], wrong: Rule['wrong'], expected: string): Judgement {
  const found = all.flatMap((exchange) => {
    const what = wrong(exchange);
    return what === undefined ? [] : [{ seq: exchange.seq, what }];
  });
  if (found.length === 0) return undefined;
  const kinds = [...new Set(found.map(({ what }) => what))];
  const shown = kinds.slice(0, MAX_NAMED_FAULTS).join('; ');
  return {
    expected,
    actual: `${shown}${kinds.length > MAX_NAMED_FAULTS ? '; …' : ''} (${found.length} of ${all.length} calls)`,
    shownBy: found.slice(0, MAX_EVIDENCE),
  };
}

export const saves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
export const tokenSaves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN);
/** Everything that was sent to the EHR server, JSON-RPC or not. */
export const anything = (journal: JournalView) =>
  journal.exchanges('auth->ehr').filter(({ request }) => !request.path.startsWith(REDIRECT_PATH));
/** The answers that clients were given. */
export const answers = (journal: JournalView) =>
  journal.exchanges('client->auth').filter(({ response }) => response);
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
