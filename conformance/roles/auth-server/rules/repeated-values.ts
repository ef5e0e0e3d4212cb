/** The rule that the authorization server saves a token for one session alone. */
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

const kindOf = ({ facts: { call } }: ExchangeEntry) =>
  call?.exchangeToken === undefined ? 'session token' : 'exchange token';

const isSameSession = ({ facts: { call: one } }: ExchangeEntry, { facts: { call: two } }: ExchangeEntry) =>
  one?.user === two?.user && one?.token === two?.token;

function savedForTwo(all: readonly ExchangeEntry[]): Judgement {
  const firsts = new Map<string, ExchangeEntry>();
  for (const save of all) {
    const key = `${save.facts.call?.method} ${tokenOf(save)}`;
    const before = firsts.get(key) ?? save;
    firsts.set(key, before);
    if (!isSameSession(before, save))
      return {
        expected: 'a token that was sent before comes again only for the same session, unchanged',
        actual: `one ${kindOf(save)} was sent for two sessions, with another user or token in authInfo`,
        shownBy: [before, save],
        // The EHR server refuses the second save of a token.
        explains: ['calls-accepted'],
      };
  }
  return undefined;
}

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
    judge: savedForTwo,
    advice:
      'Draw a token for each session and for each request, and send it with the authInfo of that session.',
  }),
];
