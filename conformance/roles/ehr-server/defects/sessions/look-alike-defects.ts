/** Defects of comparing tokens: by their beginning, without case, without blanks. */
import { no, withParams } from '../../../../engine/defects/rpc-call.ts';
import { before, type EhrWhich, instead } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, READ, REMOVALS, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { completesCred } from './session-changes.ts';

type IsLike = (stored: string, sent: string) => boolean;
type Fold = (token: string) => string;

const beginning: Fold = (token) => token.slice(0, 40);
const small: Fold = (token) => token.toLowerCase();
const trimmed: Fold = (token) => token.trim();
const by =
  (fold: Fold): IsLike =>
  (stored, sent) =>
    stored !== sent && fold(stored) === fold(sent);

/** Find the session of a user by a folded token. */
const findsSessionBy = (fold: Fold, which: EhrWhich) =>
  completesCred(which, ({ user, token }, all) =>
    all.find(
      (session) => session.user === user && typeof token === 'string' && fold(session.token) === fold(token),
    ),
  );

/** Refuse a session token that is like one of another session. */
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

/** Find a stored exchange token that is only like the one that was sent. */
const findsExchangeBy = (isLike: IsLike) =>
  before(AUTHENTICATE, ({ call, params: { exchangeToken }, seen }) => {
    if (typeof exchangeToken !== 'string') return undefined;
    const stored = [...seen.exchangeTokens.keys()].find((token) => isLike(token, exchangeToken));
    return stored === undefined ? undefined : withParams(call, { exchangeToken: stored });
  });

export const lookAlikeDefects = defects({
  'session-token-by-beginning': {
    title: 'get_patient compares the first forty characters of a session token',
    change: findsSessionBy(beginning, READ),
    caughtBy: 'session-token-compared-in-full',
  },
  'session-token-in-any-case': {
    title: 'get_patient compares session tokens without regard to capitals',
    change: findsSessionBy(small, READ),
    caughtBy: 'session-token-compared-in-full',
  },
  'session-token-trimmed': {
    title: 'A removal trims the session token',
    change: findsSessionBy(trimmed, REMOVALS),
    caughtBy: 'session-token-compared-in-full',
  },
  'session-tokens-cut-to-forty': {
    title: 'Session tokens are stored by their first forty characters',
    change: sessionUniqueBy(by(beginning)),
    caughtBy: 'like-sessions-kept-apart',
  },
  'session-tokens-without-case': {
    title: 'The column of session tokens does not tell capitals apart',
    change: sessionUniqueBy(by(small)),
    caughtBy: 'like-sessions-kept-apart',
  },
  'exchange-tokens-cut-to-forty': {
    title: 'Exchange tokens are stored by their first forty characters',
    change: exchangeUniqueBy(by(beginning)),
    caughtBy: 'like-exchange-tokens-kept-apart',
  },
  'exchange-token-by-beginning': {
    title: 'authenticate compares the first forty characters of an exchange token',
    change: findsExchangeBy(by(beginning)),
    caughtBy: 'exchange-token-compared-in-full',
  },
  'exchange-token-trimmed': {
    title: 'authenticate trims the exchange token',
    change: findsExchangeBy(by(trimmed)),
    caughtBy: 'exchange-token-compared-in-full',
  },
  'beginning-of-exchange-token': {
    title: 'The beginning of an exchange token finds it',
    change: findsExchangeBy((stored, sent) => sent.length >= 8 && stored.startsWith(sent)),
    caughtBy: 'like-exchange-token-refused',
  },
  'exchange-token-in-any-case': {
    title: 'Exchange tokens are compared without regard to capitals',
    change: findsExchangeBy(by(small)),
    caughtBy: 'like-exchange-token-refused',
  },
  'exchange-token-as-pattern': {
    title: 'An exchange token is searched by LIKE: a percent sign fits any',
    change: findsExchangeBy((stored, sent) => sent.endsWith('%') && stored.startsWith(sent.slice(0, -1))),
    caughtBy: 'like-exchange-token-refused',
  },
});
