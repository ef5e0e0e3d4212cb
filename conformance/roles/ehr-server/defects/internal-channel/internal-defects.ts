/** Defects of an EHR server on the internal channel, and in batches and disguises that reach it. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import { membersOf, type RpcCall, withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import {
  before,
  defect,
  type EhrTurn,
  instead,
  internalCred,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  SAVES,
  success,
} from '../changes.ts';
import { bodyOf, inBatches, inBatchReplies, inRequests } from '../messages/message-defects.ts';

type Takes = (given: { password: string; secret: string; token: string; seen: Ledger }) => boolean;

/** The exchange token, or the user_sign of the user's link; undefined: the user has no link. */
export async function secretOf({
  params,
  authInfo,
  parts,
}: Pick<EhrTurn, 'params' | 'authInfo' | 'parts'>): Promise<string | undefined> {
  if (params.exchangeToken !== undefined) return String(params.exchangeToken);
  return (await parts.store.findLink(String(authInfo.user)))?.userSign;
}

/** `isTaken`: `secret` is what the right digest is over, the user_sign or the exchange token. */
const takes = (method: string, isTaken: Takes) =>
  before(method, async (turn) => {
    const secret = await secretOf(turn);
    const given = {
      password: turn.parts.rules.internalPassword,
      token: String(turn.cred.token),
      seen: turn.seen,
    };
    const isWaved = secret !== undefined && isTaken({ ...given, secret });
    return isWaved ? { ...turn.call, cred: internalCred(turn.parts, secret) } : undefined;
  });

const latin1 = (password: string, secret: string) =>
  createHash('sha1').update(Buffer.from(password, 'latin1')).update(secret).digest('hex');

const isOverAnySign: Takes = ({ password, token, seen }) =>
  seen.calls.some(
    ({ result }) => 'userSign' in result && token === digest(password, String(result.userSign)),
  );

export const digestDefects = [
  defect('save-digest-verified', 'digest-by-its-beginning', {
    title: 'The digest of save_auth_info is compared by its first sixteen characters',
    ...takes(
      SAVE,
      ({ password, secret, token }) => token.slice(0, 16) === digest(password, secret).slice(0, 16),
    ),
  }),
  defect('save-digest-verified', 'digest-in-latin-1', {
    title: 'The digest of save_auth_info is verified over the password in Latin-1, too',
    ...takes(SAVE, ({ password, secret, token }) => token === latin1(password, secret)),
  }),
  defect('save-digest-verified', 'digest-of-any-user', {
    title: 'The digest of save_auth_info is verified over the signature of any user',
    ...takes(SAVE, isOverAnySign),
  }),
  defect('exchange-token-digest-verified', 'exchange-digest-over-signature', {
    title: 'The digest of save_exchange_token is verified over the signature of any user',
    ...takes(SAVE_EXCHANGE_TOKEN, isOverAnySign),
  }),
  defect('exchange-token-digest-verified', 'exchange-digest-of-any-token', {
    title: 'The digest of save_exchange_token is looked at for its shape alone',
    ...takes(SAVE_EXCHANGE_TOKEN, ({ token }) => /^[0-9a-f]{40}$/.test(token)),
  }),
];

const rightCredWhere = (method: string, isWaved: (cred: unknown) => boolean) =>
  before(method, async (turn) => {
    const secret = isWaved(turn.call.cred) ? await secretOf(turn) : undefined;
    return secret === undefined ? undefined : { ...turn.call, cred: internalCred(turn.parts, secret) };
  });

const isMissing = (cred: unknown) => cred === undefined || cred === null;

const OF_HEADER = 'named by a header';

export const internalDefects = [
  defect('save-needs-cred', 'save-without-cred', {
    title: 'save_auth_info without a cred is carried out',
    ...rightCredWhere(SAVE, isMissing),
  }),
  defect('exchange-token-needs-cred', 'exchange-token-without-cred', {
    title: 'save_exchange_token without a cred is carried out',
    ...rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
  }),
  defect('internal-user-checked', 'internal-user-never-compared', {
    title: 'The user of an internal cred is never compared',
    ...before(SAVE, ({ call, parts }) => withCred(call, { user: parts.rules.internalUser })),
  }),
  defect('authorization-header-opens-nothing', 'password-in-header', {
    title: 'An Authorization header takes the place of the digest',
    ...rightCredWhere(SAVE, (cred) => cred === OF_HEADER),
    ...inRequests(({ headers, body }) => {
      if (headers.authorization === undefined) return {};
      return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), cred: OF_HEADER })) };
    }),
  }),
  defect('levels-not-mixed', 'session-saves', {
    title: 'save_auth_info takes a session in the place of the digest',
    ...instead(SAVE, async (turn) =>
      (await turn.parts.store.findSession(hashToken(String(turn.cred.token)))) ? success(turn) : undefined,
    ),
  }),
  defect('levels-not-mixed', 'digest-reads', {
    title: 'get_patient takes the internal user in the place of a session',
    ...instead(READ, ({ cred, parts }) =>
      cred.user === parts.rules.internalUser ? yes({ patient: null }) : undefined,
    ),
  }),
  defect('internal-methods-not-public', 'internal-methods-in-public', {
    title: 'The two save methods are served at the public address',
    pipeline: (pipeline) => (text, asked) => pipeline(text, asked === 'public' ? 'any' : asked),
  }),
];

function trustsForwardedFor(): EhrChange {
  // The change is asked for each channel's listener in turn, so the internal one is kept for the public one.
  const listeners: { internal?: RequestListener } = {};
  return {
    http(listener, channel) {
      if (channel === 'internal') listeners.internal = listener;
      return (request, response) => {
        const isTrusted = channel === 'public' && request.headers['x-forwarded-for'] === '127.0.0.1';
        ((isTrusted && listeners.internal) || listener)(request, response);
      };
    },
  };
}

async function rightCred({ method, params }: RpcCall, parts: EhrServerParts) {
  const sent = membersOf(params);
  const secret = await secretOf({ params: sent, authInfo: membersOf(sent.authInfo), parts });
  return SAVES.includes(method) && secret !== undefined ? internalCred(parts, secret) : undefined;
}

export const batchDefects = [
  defect('internal-methods-not-disguised', 'batch-served-inside', {
    title: 'A batch at the public address may hold internal calls',
    pipeline: (pipeline) => (text, channel) =>
      pipeline(text, channel === 'public' && Array.isArray(bodyOf(text)) ? 'any' : channel),
  }),
  defect('internal-methods-not-disguised', 'forwarded-for-trusted', {
    title: 'X-Forwarded-For of this machine opens the internal methods at the public address',
    ...trustsForwardedFor(),
  }),
  defect('calls-of-batch-apart', 'batch-by-first-cred', {
    title: 'A call of a batch without a cred takes that of the first call',
    ...inBatches((calls) => calls.map((call) => ({ ...call, cred: call.cred ?? calls[0]?.cred }))),
  }),
  defect('calls-of-batch-apart', 'batch-replies-turned', {
    title: 'The replies of a batch have the results of other calls',
    ...inBatchReplies((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
  }),
  defect('saves-of-batch-apart', 'batch-verified-once', {
    title: 'Of a batch of saves the first digest alone is verified',
    ...inBatches(async (calls, parts) => {
      const creds = await Promise.all(calls.map((call) => rightCred(call, parts)));
      const isVerified = calls.length > 0 && JSON.stringify(calls[0]?.cred) === JSON.stringify(creds[0]);
      return isVerified
        ? calls.map((call, index) => ({ ...call, cred: creds[index] ?? call.cred }))
        : undefined;
    }),
  }),
];
