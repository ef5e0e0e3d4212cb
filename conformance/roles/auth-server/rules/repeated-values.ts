/**
 * Rules for values that the authorization server sends more than once to the EHR server: a token that is
 * saved twice, and an id that two simultaneous calls share.
 */
import type { Check } from '../../../engine/check/check.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { crowd } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { manyTokens } from '../flows/links/many-tokens.ts';
import { twoSessions } from '../flows/sessions/two-sessions.ts';
import { duplicateToken } from '../flows/trouble/duplicate-token.ts';
import { exchangeTokenTrouble } from '../flows/trouble/exchange-token-trouble.ts';
import { NO_INTERNAL_CALLS, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { sessionsOf } from './given-sessions.ts';
import { ruleOfAll, saves, tokenSaves } from './rule.ts';

/** The token that a save makes known to the EHR server: the exchange token, or the token of the session. */
function tokenOf({ facts: { call } }: ExchangeEntry): string | undefined {
  return call?.method === SAVE_EXCHANGE_TOKEN ? call.exchangeToken : call?.token;
}

/**
 * Finds a token that was saved for two sessions, or sent again in the same step after the EHR server had
 * answered that it is stored already.
 */
function savedForOne(all: readonly ExchangeEntry[], journal: JournalView): Judgement {
  const given = new Set(sessionsOf(journal).map(({ token }) => token));
  const firsts = new Map<string, ExchangeEntry>();
  for (const save of all) {
    const key = `${save.facts.call?.method} ${tokenOf(save)}`;
    const before = firsts.get(key) ?? save;
    firsts.set(key, before);
    const actual = before === save ? undefined : wrongAgain(journal, before, save, given);
    if (actual !== undefined)
      return {
        expected: 'a token that was sent before comes again only for the same session, unchanged',
        actual,
        shownBy: [before, save],
      };
  }
  return undefined;
}

/** Says what is wrong with the second save of a token; undefined: it may be repeated. */
function wrongAgain(
  journal: JournalView,
  first: ExchangeEntry,
  again: ExchangeEntry,
  given: ReadonlySet<string>,
): string | undefined {
  const [one, two] = [first.facts.call, again.facts.call];
  const what = one?.exchangeToken === undefined ? 'session token' : 'exchange token';
  if (one?.user !== two?.user || one?.token !== two?.token)
    return `one ${what} was sent for two sessions, with another user or token in authInfo`;
  const [step, other] = [journal.stepOf(first), journal.stepOf(again)];
  if (!step || step !== other) return undefined;
  // What is left of a session becomes less before a call without an answer is repeated.
  const isLater = !first.response && Number(two?.ttl) < Number(one?.ttl);
  if (one?.ttl !== two?.ttl && !isLater)
    return `one ${what} was sent twice, with ttl ${one?.ttl} and ${two?.ttl}`;
  const wasTaken = first.facts.reply?.reason?.endsWith('already_stored') ?? false;
  // A session that the client has may be reported again; a token that is still being drawn may not.
  const isNew = what === 'exchange token' || !given.has(one?.token ?? '') || step.step.step === 'confirmOtp';
  return wasTaken && isNew
    ? `one ${what} was sent again after the EHR server had said that it is stored already`
    : undefined;
}

/** Finds two calls that are under way at the same time with the same id. */
function idsDiffer(calls: readonly ExchangeEntry[]): Judgement {
  const last = new Map<string, ExchangeEntry>();
  for (const call of calls) {
    const id = call.facts.call?.id;
    if (id === undefined) continue;
    const before = last.get(id);
    if (before && call.at < before.endedAt)
      return {
        expected: 'ids of their own',
        actual: 'two calls at the same time had the same id',
        shownBy: [before, call],
      };
    last.set(id, call);
  }
  return undefined;
}

export const repeatedValueRules: readonly Check[] = [
  ruleOfAll({
    id: 'token-not-saved-for-two',
    title:
      'A token is saved at the EHR server for one session alone, and one that is taken is not tried again',
    requirements: ['2.3-token-unique', '4.2-asking-session'],
    scenarios: [firstLink, manyTokens, crowd, twoSessions, exchangeTokenTrouble, duplicateToken],
    of: (journal) =>
      [...saves(journal), ...tokenSaves(journal)].filter((save) => tokenOf(save) !== undefined),
    nothing: 'no token was sent to the EHR server',
    judge: savedForOne,
    advice:
      'When the EHR server says that a token is stored already, draw a new one, and send that with its authInfo.',
  }),
  ruleOfAll({
    id: 'ids-differ',
    title: 'Calls that are under way at the same time have different ids',
    level: 'SHOULD',
    requirements: ['2.1-id-sent'],
    scenarios: [crowd],
    of: (journal) => journal.internalCalls,
    nothing: NO_INTERNAL_CALLS,
    judge: idsDiffer,
    advice: 'Count the id up, or draw it, for every call.',
  }),
];
