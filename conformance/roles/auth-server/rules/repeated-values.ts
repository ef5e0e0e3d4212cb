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
import { NO_INTERNAL_CALLS, tokenOf } from '../internal-calls.ts';
import { sessionsOf } from './given-sessions.ts';
import { ruleOfAll, saves, tokenSaves } from './rule.ts';

/** Says what is wrong with the second save of a token; undefined: nothing. */
type WrongAgain = (first: ExchangeEntry, again: ExchangeEntry, journal: JournalView) => string | undefined;

/** Finds a token whose second save is wrong. */
const savedAgain =
  (wrong: WrongAgain) =>
  (all: readonly ExchangeEntry[], journal: JournalView): Judgement => {
    const firsts = new Map<string, ExchangeEntry>();
    for (const save of all) {
      const key = `${save.facts.call?.method} ${tokenOf(save)}`;
      const before = firsts.get(key) ?? save;
      firsts.set(key, before);
      const actual = before === save ? undefined : wrong(before, save, journal);
      if (actual !== undefined)
        return {
          expected: 'a token that was sent before comes again only for the same session, unchanged',
          actual,
          shownBy: [before, save],
          // The EHR server refuses the second save of a token.
          ...(wrong === forTwo && { explains: ['calls-accepted'] }),
        };
    }
    return undefined;
  };

/** The kind of token that a save makes known. */
const kindOf = ({ facts: { call } }: ExchangeEntry) =>
  call?.exchangeToken === undefined ? 'session token' : 'exchange token';

/** Whether two saves are for one session. */
const isSameSession = ({ facts: { call: one } }: ExchangeEntry, { facts: { call: two } }: ExchangeEntry) =>
  one?.user === two?.user && one?.token === two?.token;

const forTwo: WrongAgain = (first, again) =>
  isSameSession(first, again)
    ? undefined
    : `one ${kindOf(first)} was sent for two sessions, with another user or token in authInfo`;

/** A save that comes again in the same step after the EHR server had answered that it is stored already. */
const triedAgain: WrongAgain = (first, again, journal) => {
  if (!isSameSession(first, again)) return undefined;
  const given = new Set(sessionsOf(journal).map(({ token }) => token));
  const [one, two] = [first.facts.call, again.facts.call];
  const what = kindOf(first);
  const [step, other] = [journal.stepOf(first), journal.stepOf(again)];
  if (!step || step !== other) return undefined;
  // The ttl may be smaller when a call without an answer is repeated: the session has gone on meanwhile.
  const isLater = !first.response && Number(two?.ttl) < Number(one?.ttl);
  if (one?.ttl !== two?.ttl && !isLater)
    return `one ${what} was sent twice, with ttl ${one?.ttl} and ${two?.ttl}`;
  const wasTaken = first.facts.reply?.reason?.endsWith('already_stored') ?? false;
  // A session that the client has may be reported again; a token that is still being drawn may not.
  const isNew = what === 'exchange token' || !given.has(one?.token ?? '') || step.step.step === 'confirmOtp';
  return wasTaken && isNew
    ? `one ${what} was sent again after the EHR server had said that it is stored already`
    : undefined;
};

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

/** All saves of a token. */
const allSaves = (journal: JournalView) =>
  [...saves(journal), ...tokenSaves(journal)].filter((save) => tokenOf(save) !== undefined);

export const repeatedValueRules: readonly Check[] = [
  ruleOfAll({
    id: 'token-not-saved-for-two',
    title: 'A token is saved at the EHR server for one session alone',
    requirements: ['2.3-token-unique'],
    scenarios: [firstLink, manyTokens, crowd, twoSessions],
    of: allSaves,
    nothing: 'no token was sent to the EHR server',
    judge: savedAgain(forTwo),
    advice:
      'Draw a token for each session and for each request, and send it with the authInfo of that session.',
  }),
  ruleOfAll({
    id: 'taken-token-not-tried-again',
    title: 'A token that the EHR server has stored already is not sent to it again',
    requirements: ['K-clash-draws-anew'],
    scenarios: [firstLink, exchangeTokenTrouble, duplicateToken],
    of: allSaves,
    nothing: 'no token was sent to the EHR server',
    judge: savedAgain(triedAgain),
    advice:
      'When the EHR server says that a token is stored already, draw a new one, and send that with its authInfo.',
  }),
  ruleOfAll({
    id: 'ids-differ',
    title: 'Calls that are under way at the same time have different ids',
    requirements: ['K-ids-differ'],
    scenarios: [crowd],
    of: (journal) => journal.internalCalls,
    nothing: NO_INTERNAL_CALLS,
    judge: idsDiffer,
    advice: 'Count the id up, or draw it, for every call.',
  }),
];
