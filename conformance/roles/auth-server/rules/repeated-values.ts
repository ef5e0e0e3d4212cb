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
import { tokenOf } from '../internal-calls.ts';
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
];
