/** Defects of an EHR server that compares tokens in part, or without case or blanks. */
import { no, withParams } from '../../../../engine/defects/rpc-call.ts';
import { before, type EhrWhich, foundBy, instead } from '../changes.ts';
import { AUTHENTICATE, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { completesCred } from './session-defects.ts';

type IsLike = (stored: string, sent: string) => boolean;
type Fold = (token: string) => string;

/** The first forty characters: a right token is longer. */
const beginning: Fold = (token) => token.slice(0, 40);
const upTo =
  (length: number): Fold =>
  (token) =>
    token.slice(0, length);
const by =
  (fold: Fold): IsLike =>
  (stored, sent) =>
    stored !== sent && fold(stored) === fold(sent);

const findsSessionBy = (fold: Fold, which: EhrWhich) =>
  completesCred(which, ({ user, token }, all) =>
    all.find(
      (session) => session.user === user && typeof token === 'string' && fold(session.token) === fold(token),
    ),
  );

const sessionUniqueBy = (isLike: IsLike) =>
  instead(SAVE, ({ authInfo, seen }) =>
    seen.sessions.some(({ token }) => isLike(token, String(authInfo.token)))
      ? no('token_already_stored')
      : undefined,
  );

const exchangeUniqueBy = (isLike: IsLike) =>
  instead(SAVE_EXCHANGE_TOKEN, ({ params, seen }) =>
    [...seen.exchangeTokens.keys()].some((token) => isLike(token, String(params.exchangeToken)))
      ? no('exchange_token_already_stored')
      : undefined,
  );

const findsExchangeBy = (isLike: IsLike) =>
  before(AUTHENTICATE, ({ call, params: { exchangeToken }, seen }) => {
    if (typeof exchangeToken !== 'string') return undefined;
    const stored = [...seen.exchangeTokens.keys()].find((token) => isLike(token, exchangeToken));
    return stored === undefined ? undefined : withParams(call, { exchangeToken: stored });
  });

export const lookAlikeDefects = foundBy({
  'session-token-compared-in-full': [
    'session-token-by-beginning: get_patient compares the first forty characters of a session token',
    findsSessionBy(beginning, READ),
  ],
  'like-sessions-kept-apart': [
    'session-tokens-cut-to-forty: Session tokens are stored by their first forty characters',
    sessionUniqueBy(by(beginning)),
  ],
  'long-sessions-kept-apart': [
    'session-tokens-cut-to-128: Session tokens are stored by their first 128 characters',
    sessionUniqueBy(by(upTo(128))),
  ],
  'long-exchange-tokens-kept-apart': [
    'exchange-token-by-first-64: authenticate compares the first 64 characters of an exchange token',
    findsExchangeBy(by(upTo(64))),
  ],
  'like-exchange-tokens-kept-apart': [
    'exchange-tokens-cut-to-forty: Exchange tokens are stored by their first forty characters',
    exchangeUniqueBy(by(beginning)),
  ],
  'like-exchange-token-refused': [
    'exchange-token-by-beginning: authenticate compares the first forty characters of an exchange token',
    findsExchangeBy(by(beginning)),
    'exchange-token-as-pattern: An exchange token is searched by LIKE: a percent sign fits any',
    findsExchangeBy((stored, sent) => sent.endsWith('%') && stored.startsWith(sent.slice(0, -1))),
  ],
});
