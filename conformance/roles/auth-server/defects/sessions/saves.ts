/** Defects in which sessions are saved at the EHR server, when, and in what follows when it refuses. */
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import { onceMore } from '../calls/outgoing.ts';
import type { Change, Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  after,
  announces,
  around,
  before,
  CONFIRM,
  done,
  EXCHANGE,
  type MockTurn,
  no,
  REPORT,
  REQUEST,
  saves,
  sessionsOf,
  signOf,
  slowly,
  userOf,
  withParams,
} from '../operators.ts';

const NOT_AUTHORIZED = errorTable.not_authorized.code;
const USER_UNKNOWN = errorTable.user_unknown.code;
const TOKEN_STORED = errorTable.token_already_stored.code;
/** Codes with which the EHR server refuses the signature of a removed link. */
const GONE = [NOT_AUTHORIZED, USER_UNKNOWN];
const INTERNAL_ERROR = { code: errorTable.internal_error.code };

type Refusal = Awaited<ReturnType<Mock['ehr']['saveAuthInfo']>>;
type Info = Parameters<Mock['ehr']['saveAuthInfo']>[0];

/** Takes another refusal, or none, for one of these codes. */
const takes = (codes: readonly number[], other: (mock: Mock, info: Info, sign: string) => Refusal): Change =>
  saves((save, mock) => async (info, sign) => {
    const refusal = await save(info, sign);
    return refusal && codes.includes(refusal.code) ? other(mock, info, sign) : refusal;
  });

/** Saves the session of a linked phone once more, with a separate token. */
async function saveAhead(turn: MockTurn): Promise<undefined> {
  const { store, ehr, random, config } = turn.parts;
  const { ehr_user_sign: carried } = turn.params;
  const user = userOf(turn);
  const sign = typeof carried === 'string' ? carried : store.directory.entryOf(user ?? '')?.userSign;
  if (user && sign)
    await ehr.saveAuthInfo({ user, token: randomToken(random), ttl: config.sessionTtl }, sign);
}

export const saveDefects = foundBy({
  'returning-user-saved-directly/returning-user-not-saved': {
    title: 'A returning user is not saved at the EHR server',
    change: before(CONFIRM, (turn) => {
      const { directory } = turn.parts.store;
      const user = userOf(turn) ?? '';
      const sign = directory.entryOf(user)?.userSign;
      if (sign) directory.replaceUserSign(user, sign, null);
      return withParams(turn.call, { ehr_user_sign: undefined });
    }),
  },
  'second-returning-user-saved-directly/one-returning-user': {
    title: 'Only the first user who returns is saved at the EHR server',
    change: saves((save, { ledger }) => async (info, sign) => {
      const first = ledger.notes<string>('first user saved');
      if (!first.has('')) first.set('', info.user);
      return first.get('') === info.user ? save(info, sign) : undefined;
    }),
  },
  'returning-user-reads-record/other-token-saved': {
    title: 'The session saved at the EHR server has another token than the client',
    change: saves((save) => (info, sign) => save({ ...info, token: `${info.token.slice(1)}x` }, sign)),
  },
  'link-recorded/link-not-recorded': {
    title: 'A reported link is not recorded at the EHR server',
    change: saves(() => async () => undefined),
  },
  'no-save-before-confirmation/saves-when-code-requested': {
    title: 'The session of a linked user is saved when the code is requested',
    change: before(REQUEST, saveAhead),
    on: ['challenge-save-before-confirmation'],
  },
  'no-save-before-confirmation/saves-before-comparing': {
    title: 'The session of a linked user is saved before the code is compared',
    change: before(CONFIRM, saveAhead),
    on: ['carried-sign-save-before-confirmation'],
  },
  'saved-session-is-the-given-one/sign-in-saves-two-sessions': {
    title: 'A sign-in saves another session after the one of the client',
    change: after(done(CONFIRM), saveAhead),
  },
  'saved-session-is-the-given-one/report-saves-all-sessions': {
    title: 'The report of a link saves every session of the user',
    change: before(REPORT, async ({ seen, parts: { ehr, config }, cred, params }) => {
      for (const other of sessionsOf(seen, cred.user))
        if (other.token !== cred.token)
          await ehr
            .saveAuthInfo({ ...other, ttl: config.sessionTtl }, String(params.user_sign))
            .catch(() => undefined);
      return undefined;
    }),
    on: ['challenge-link-saves-all'],
  },
  'saved-session-is-the-given-one/bearer-told-as-token': {
    title: 'The client is told the bearer as the EHR token, and another one is saved',
    on: ['challenge'],
  },
  'saved-session-is-the-given-one/other-token-saved': {
    title: 'The session that is saved has another token than the client',
    on: ['carried-sign'],
  },
  'no-save-in-other-steps/saves-with-exchange-token': {
    title: 'A request for an exchange token saves the session again',
    change: before(EXCHANGE, async (turn) => {
      const { parts, cred } = turn;
      const sign = signOf(turn);
      const info = { user: String(cred.user), token: String(cred.token), ttl: parts.config.sessionTtl };
      if (sign) await parts.ehr.saveAuthInfo(info, sign).catch(() => undefined);
      return undefined;
    }),
    on: ['challenge-save-with-exchange-token'],
  },
  'foreign-sign-refused/foreign-sign-welcome': {
    title: 'A signature that the EHR server refuses at a report is answered with success',
    change: takes([NOT_AUTHORIZED], () => undefined),
  },
  'disconnected-user-told/stale-sign-called-linked': {
    title: 'A sign-in with the signature of a link that is gone is called linked',
    change: takes(GONE, () => undefined),
  },
  'disconnected-user-not-locked-out/stale-sign-locks-out': {
    title: 'A sign-in fails for as long as the signature of a link that is gone is on record',
    change: takes(GONE, () => INTERNAL_ERROR),
    on: ['challenge-stale-link-locks-out'],
  },
  'disconnected-user-not-locked-out/unauthorized-sign-locks-out': {
    title:
      'A sign-in fails for as long as a signature is on record that the EHR server answers not_authorized to',
    change: takes([NOT_AUTHORIZED], () => INTERNAL_ERROR),
    on: ['challenge-unauthorized-locks-out'],
  },
  'disconnected-user-signed-in/stale-sign-fails-once': {
    title: 'The first sign-in with the signature of a link that is gone fails',
    change: takes(GONE, ({ store }, { user }, sign) => {
      store.directory.replaceUserSign(user, sign, null);
      return INTERNAL_ERROR;
    }),
  },
  'disconnected-user-signed-in/stale-sign-locks-out': {
    title: 'A sign-in fails when the EHR server knows the link no more',
    on: ['carried-sign'],
  },
  'disconnected-user-links-anew/stale-user-blocked': {
    title: 'A user whose signature was refused gets no exchange token any more',
    change: {
      parts(mock) {
        const blocked = mock.ledger.notes('blocked users');
        takes(GONE, (_mock, { user }) => {
          blocked.set(user, true);
          return { code: USER_UNKNOWN };
        }).parts?.(mock);
        announces((save) => async (token, info) => {
          if (blocked.has(info.user)) throw new RpcError('ehr_refused');
          return save(token, info);
        }).parts?.(mock);
      },
    },
  },
  'disconnected-user-links-anew/stale-link-stays': {
    title: 'After a refused signature the user cannot link again',
    on: ['challenge'],
  },
  'own-repeat-is-success/own-repeat-refused': {
    title: 'A save whose reply was lost is repeated, and that it is stored already is told as a failure',
    change: { ...takes([TOKEN_STORED], () => INTERNAL_ERROR), fetch: onceMore },
    seenIn: ['apify/apify-client-python#990'],
  },
  'own-repeat-is-success/clients-repeat-refused': {
    title:
      'A report that is repeated after its reply was lost is told as a failure, because it is stored already',
    change: saves((save, { ledger }) => async (info, sign) => {
      const isRepeat = ledger.count('saves', info.token) > 1;
      const refusal = await save(info, sign);
      return isRepeat && refusal?.code === TOKEN_STORED ? INTERNAL_ERROR : refusal;
    }),
  },
  'reports-at-once-kept/reports-refuse-each-other': {
    title: 'Two reports of one link at once are both refused',
    change: around(REPORT, async ({ seen, parts, cred, next }) => {
      const underWay = seen.notes<number>('reports under way');
      const clashed = seen.notes('reports that clashed');
      const others = underWay.get(cred.token) ?? 0;
      if (others > 0) clashed.set(cred.token, true);
      underWay.set(cred.token, others + 1);
      const reply = await next();
      await slowly(parts);
      underWay.set(cred.token, (underWay.get(cred.token) ?? 1) - 1);
      return clashed.has(cred.token) ? no('not_authorized') : reply;
    }),
  },
  'ttl-positive-to-the-end/ttl-rounded-down': {
    title: 'The EHR server is sent a ttl of 0 in the last minute of a session',
    change: announces((save) => (token, info) => save(token, { ...info, ttl: info.ttl - 1 })),
    on: ['challenge'],
  },
  'ttl-counts-down/ttl-never-less': {
    title: 'The EHR server is sent the whole ttl to the end of a session',
    change: announces(
      (save, { config }) =>
        (token, info) =>
          save(token, { ...info, ttl: config.sessionTtl }),
    ),
    on: ['challenge'],
  },
});
