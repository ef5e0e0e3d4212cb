/** Defects of comparing tokens: by their beginning, without case, without blanks. */
import type { EhrChange } from '../../self-test/serve.ts';
import { type DefectRow, type EhrDefect, fromRow } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  DISCONNECT,
  LOG_OUT,
  paramsOf,
  READ,
  refusal,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  withParams,
} from '../messages/messages.ts';
import { remembering } from './known-sessions.ts';
import { completesCred } from './session-changes.ts';

type Fold = (token: string) => string;

const beginning: Fold = (token) => token.slice(0, 40);
const small: Fold = (token) => token.toLowerCase();
const trimmed: Fold = (token) => token.trim();

/** Finds the session of a user by a folded token. */
const findsSessionBy = (fold: Fold, ...methods: string[]) =>
  completesCred(methods, ({ user, token }, all) =>
    all.find((pair) => pair.user === user && typeof token === 'string' && fold(pair.token) === fold(token)),
  );

/** Refuses a session token that is like one of another session. */
const sessionUniqueBy = (fold: Fold): EhrChange =>
  answering(
    remembering((known) => (call, { next }) => {
      const token = String(authInfoOf(call).token);
      const isLike = known.pairs.some((pair) => pair.token !== token && fold(pair.token) === fold(token));
      return call.method === SAVE && isLike ? refusal(call, 'token_already_stored') : next();
    }),
  );

const exchangeUniqueBy = (fold: Fold): EhrChange =>
  answering(
    remembering((known) => (call, { next }) => {
      const token = String(paramsOf(call).exchangeToken);
      const isLike = [...known.pending.keys()].some((each) => each !== token && fold(each) === fold(token));
      return call.method === SAVE_EXCHANGE_TOKEN && isLike ? refusal(call, 'exchange_token_already_stored') : next();
    }),
  );

const findsExchangeBy = (fold: Fold): EhrChange =>
  answering(
    remembering((known) => (call, { next }) => {
      const token = String(paramsOf(call).exchangeToken);
      const stored = [...known.pending.keys()].find((each) => fold(each) === fold(token));
      return next(call.method === AUTHENTICATE && stored ? withParams(call, { exchangeToken: stored }) : call);
    }),
  );

const ROWS: readonly DefectRow[] = [
  [
    'session-token-by-beginning',
    'get_patient compares the first forty characters of a session token',
    findsSessionBy(beginning, READ),
    'session-token-compared-in-full',
  ],
  [
    'session-token-in-any-case',
    'get_patient compares session tokens without regard to capitals',
    findsSessionBy(small, READ),
    'session-token-compared-in-full',
  ],
  [
    'session-token-trimmed',
    'A removal trims the session token',
    findsSessionBy(trimmed, LOG_OUT, DISCONNECT),
    'session-token-compared-in-full',
  ],
  [
    'session-tokens-cut-to-forty',
    'Session tokens are stored by their first forty characters',
    sessionUniqueBy(beginning),
    'like-sessions-kept-apart',
  ],
  [
    'session-tokens-without-case',
    'The column of session tokens does not tell capitals apart',
    sessionUniqueBy(small),
    'like-sessions-kept-apart',
  ],
  [
    'exchange-tokens-cut-to-forty',
    'Exchange tokens are stored by their first forty characters',
    exchangeUniqueBy(beginning),
    'like-exchange-tokens-kept-apart',
  ],
  [
    'exchange-token-by-beginning',
    'authenticate compares the first forty characters of an exchange token',
    findsExchangeBy(beginning),
    'exchange-token-compared-in-full',
  ],
  [
    'exchange-token-trimmed',
    'authenticate trims the exchange token',
    findsExchangeBy(trimmed),
    'exchange-token-compared-in-full',
  ],
];

export const lookAlikeDefects: readonly EhrDefect[] = ROWS.map(fromRow);
