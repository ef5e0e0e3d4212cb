/** Makes rules: checks of all messages or sessions of a run. */
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
import { fault, unclear } from '../flows/step-values.ts';
import { REDIRECT_PATH } from '../flows/trouble/odd-replies.ts';
import { NO_INTERNAL_CALLS, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';

type About = Pick<Check, 'id' | 'title' | 'requirements'> &
  Partial<Pick<Check, 'shownBy' | 'watchable' | 'explains'>> & {
    /** The flows that show a breach best; those of a first link and of a returning user unless given. */
    scenarios?: readonly { readonly id: string }[];
    advice: string;
    /** What must have been `seen`, so that a pass proves something. */
    control?: { seen: (journal: JournalView) => boolean; because: string };
  };

export type RuleOfAll<S extends Shown> = About & {
  of: (journal: JournalView) => readonly S[];
  /** The reason of an inconclusive finding where `of` selects nothing. */
  nothing: string;
  judge: (all: readonly S[], journal: JournalView) => Judgement;
};

export function ruleOfAll<S extends Shown>(definition: RuleOfAll<S>): Check {
  const {
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
      judge(all, journal) ?? (isShown ? undefined : unclear(control.because, ...all.slice(0, MAX_EVIDENCE)))
    );
  };
  return {
    ...about,
    scenarios: scenarios.map(({ id }) => id),
    watchable,
    judge(journal) {
      const all = of(journal);
      const passes = () => all.slice(0, MAX_EVIDENCE);
      const usual = { advice, explains: about.explains, blame: 'auth server', passes } as const;
      return findingFrom(judgementOf(all, journal), usual);
    },
  };
}

/** A rule for single messages; `expected` says in words how each must be. */
type Rule = About &
  Partial<Pick<RuleOfAll<ExchangeEntry>, 'of' | 'nothing'>> & {
    expected: string;
    wrong: (exchange: ExchangeEntry) => string | undefined;
  };

/** Judges each message by itself: all calls to the EHR server, unless `of` selects others. */
export function rule({ expected, wrong, ...about }: Rule): Check {
  return ruleOfAll({
    of: (journal) => journal.internalCalls,
    nothing: NO_INTERNAL_CALLS,
    ...about,
    judge: (all) => eachRight(all, wrong, expected),
  });
}

/** Limits how many different faults one finding names, so that it stays one sentence. */
const MAX_NAMED_FAULTS = 4;

/** Judges each message by itself; see {@link rule}. For rules whose `wrong` depends on the whole run. */
function eachRight(all: readonly ExchangeEntry[], wrong: Rule['wrong'], expected: string): Judgement {
  const found = all.flatMap((exchange) => {
    const what = wrong(exchange);
    return what === undefined ? [] : [{ seq: exchange.seq, what }];
  });
  if (found.length === 0) return undefined;
  const kinds = [...new Set(found.map(({ what }) => what))];
  const shown = kinds.slice(0, MAX_NAMED_FAULTS).join('; ');
  return fault(
    expected,
    `${shown}${kinds.length > MAX_NAMED_FAULTS ? '; …' : ''} (${found.length} of ${all.length} calls)`,
    ...found.slice(0, MAX_EVIDENCE),
  );
}

export const saves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
export const tokenSaves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN);
const isSave = ({ facts: { call } }: ExchangeEntry): boolean =>
  call !== undefined && [SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN].includes(call.method);
export const savesOfBoth = (journal: JournalView) => journal.internalCalls.filter(isSave);
/** All requests to the EHR server, JSON-RPC or not; followed redirects excepted. */
export const anything = (journal: JournalView) =>
  journal.exchanges('auth->ehr').filter(({ request }) => !request.path.startsWith(REDIRECT_PATH));
export const answers = (journal: JournalView) =>
  journal.exchanges('client->auth').filter(({ response }) => response);
export const NO_SAVE = 'no save_auth_info was sent';
export const NO_TOKEN_SAVE = 'no save_exchange_token was sent';
export const NO_ANSWER = 'the server did nothing that a client asked for';

/** Scenarios without injected faults or deliberate mistakes. */
export const UNDISTURBED: ReadonlySet<string> = new Set([
  // No scenario: the steps with which the doctor examines the set-up.
  '',
  firstLink.id,
  returningUser.id,
  manyTokens.id,
  crowd.id,
]);
