/** Defects of an EHR server on the internal channel, and in batches and disguises that reach it. */

import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { type List, variantsOf } from '../../../../engine/defects/rows.mjs';
import { membersOf, type RpcCall, withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import {
  before,
  type EhrTurn,
  foundBy,
  instead,
  internalCred,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  SAVES,
  success,
} from '../changes.ts';
import { bodyOf, inBatches, inBatchReplies, inRequests } from '../messages/message-defects.ts';

type About = {
  password: string;
  /** What the right digest is over: the user_sign, or the exchange token. */
  secret: string;
  right: string;
  token: string;
  isOver: (text: string) => boolean;
  signs: readonly string[];
};

type Takes = (about: About) => boolean;

/** The exchange token, or the user_sign of the user's link; undefined: the user has no link. */
export async function secretOf({
  params,
  authInfo,
  parts,
}: Pick<EhrTurn, 'params' | 'authInfo' | 'parts'>): Promise<string | undefined> {
  if (params.exchangeToken !== undefined) return String(params.exchangeToken);
  return (await parts.store.findLink(String(authInfo.user)))?.userSign;
}

const takes = (method: string, isTaken: Takes) =>
  before(method, async (turn) => {
    const secret = await secretOf(turn);
    const isWaved = secret !== undefined && isTaken(aboutOf(turn, secret));
    return isWaved ? { ...turn.call, cred: internalCred(turn.parts, secret) } : undefined;
  });

function aboutOf({ cred, parts, seen }: EhrTurn, secret: string): About {
  const password = parts.rules.internalPassword;
  const token = String(cred.token);
  return {
    ...{ password, secret, token },
    right: digest(password, secret),
    isOver: (text) => token === digest(password, text),
    signs: seen.calls.flatMap(({ result }) => ('userSign' in result ? String(result.userSign) : [])),
  };
}
const latin1 = (password: string, secret: string) =>
  createHash('sha1').update(Buffer.from(password, 'latin1')).update(secret).digest('hex');

/** Titles go on after `The digest of METHOD is`. */
type Rows = List<Takes>;

const OF_SAVE: Rows = [
  'digest-by-its-beginning: compared by its first sixteen characters',
  ({ right, token }) => token.slice(0, 16) === right.slice(0, 16),
  'digest-in-latin-1: verified over the password in Latin-1, too',
  ({ password, secret, token }) => token === latin1(password, secret),
  'digest-of-any-user: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
];

const OF_EXCHANGE_TOKEN: Rows = [
  'exchange-digest-over-signature: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
  'exchange-digest-of-any-token: looked at for its shape alone',
  ({ token }) => /^[0-9a-f]{40}$/.test(token),
];

const defectsOf = (rows: Rows, method: string, caughtBy: string) =>
  variantsOf(rows, (isTaken) => takes(method, isTaken)).map(({ id, title, ...row }) => ({
    ...{ ...row, id, caughtBy },
    title: `The digest of ${method.split('.').at(-1)} is ${title}`,
  }));

export const digestDefects = [
  ...defectsOf(OF_SAVE, SAVE, 'save-digest-verified'),
  ...defectsOf(OF_EXCHANGE_TOKEN, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified'),
];

const rightCredWhere = (method: string, isWaved: (cred: unknown) => boolean) =>
  before(method, async (turn) => {
    const secret = isWaved(turn.call.cred) ? await secretOf(turn) : undefined;
    return secret === undefined ? undefined : { ...turn.call, cred: internalCred(turn.parts, secret) };
  });

const isMissing = (cred: unknown) => cred === undefined || cred === null;

const comparesUser = (isTaken: (user: string, internal: string) => boolean) =>
  before(SAVE, ({ call, cred, parts }) => {
    const { internalUser: user } = parts.rules;
    return isTaken(String(cred.user), user) ? withCred(call, { user }) : undefined;
  });

const servesBoth = (channel: 'public' | 'internal'): EhrChange => ({
  pipeline: (pipeline) => (text, asked) => pipeline(text, asked === channel ? 'any' : asked),
});

const OF_HEADER = 'named by a header';

const takesHeader: EhrChange = {
  ...rightCredWhere(SAVE, (cred) => cred === OF_HEADER),
  ...inRequests(({ headers, body }) => {
    if (headers.authorization === undefined) return {};
    return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), cred: OF_HEADER })) };
  }),
};

export const internalDefects = foundBy({
  'save-needs-cred': [
    'save-without-cred: save_auth_info without a cred is carried out',
    rightCredWhere(SAVE, isMissing),
  ],
  'exchange-token-needs-cred': [
    'exchange-token-without-cred: save_exchange_token without a cred is carried out',
    rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
  ],
  'internal-user-checked': [
    'internal-user-never-compared: The user of an internal cred is never compared',
    comparesUser(() => true),
  ],
  'authorization-header-opens-nothing': [
    'password-in-header: An Authorization header takes the place of the digest',
    takesHeader,
  ],
  'levels-not-mixed': [
    'session-saves: save_auth_info takes a session in the place of the digest',
    instead(SAVE, async (turn) =>
      (await turn.parts.store.findSession(hashToken(String(turn.cred.token)))) ? success(turn) : undefined,
    ),
    'digest-reads: get_patient takes the internal user in the place of a session',
    instead(READ, ({ cred, parts }) =>
      cred.user === parts.rules.internalUser ? yes({ patient: null }) : undefined,
    ),
  ],
  'internal-methods-not-public': [
    'internal-methods-in-public: The two save methods are served at the public address',
    servesBoth('public'),
  ],
});

/** Serve a public body as an internal one where a careless check overlooks it. */
const servesInside = (isUnseen: (body: unknown) => boolean): EhrChange => ({
  pipeline: (pipeline) => (text, channel) =>
    pipeline(text, channel === 'public' && isUnseen(bodyOf(text)) ? 'any' : channel),
});

/** Serve a public request inside where its headers, or the port of the internal address, are trusted. */
function trusts(isTrusted: (headers: Record<string, unknown>, inside: string) => boolean): EhrChange {
  // The change is asked for each channel's listener in turn, so the internal one is kept for the public one.
  let internal: RequestListener | undefined;
  let port = '';
  return {
    http(listener, channel) {
      if (channel === 'public')
        return (request, response) =>
          (internal && isTrusted(request.headers, port) ? internal : listener)(request, response);
      internal = listener;
      return (request, response) => {
        port = String(request.socket.localPort);
        listener(request, response);
      };
    },
  };
}

async function rightCred({ method, params }: RpcCall, parts: EhrServerParts) {
  const sent = membersOf(params);
  const secret = await secretOf({ params: sent, authInfo: membersOf(sent.authInfo), parts });
  return SAVES.includes(method) && secret !== undefined ? internalCred(parts, secret) : undefined;
}

const verifiesFirstSave = inBatches(async (calls, parts) => {
  const creds = await Promise.all(calls.map((call) => rightCred(call, parts)));
  const isVerified = calls.length > 0 && JSON.stringify(calls[0]?.cred) === JSON.stringify(creds[0]);
  return isVerified ? calls.map((call, index) => ({ ...call, cred: creds[index] ?? call.cred })) : undefined;
});

export const batchDefects = foundBy({
  'internal-methods-not-disguised': [
    'batch-served-inside: A batch at the public address may hold internal calls',
    servesInside(Array.isArray),
    'forwarded-for-trusted: X-Forwarded-For of this machine opens the internal methods at the public address',
    trusts((headers) => headers['x-forwarded-for'] === '127.0.0.1'),
  ],
  'calls-of-batch-apart': [
    'batch-by-first-cred: A call of a batch without a cred takes that of the first call',
    inBatches((calls) => calls.map((call) => ({ ...call, cred: call.cred ?? calls[0]?.cred }))),
    'batch-replies-turned: The replies of a batch have the results of other calls',
    inBatchReplies((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
  ],
  'saves-of-batch-apart': [
    'batch-verified-once: Of a batch of saves the first digest alone is verified',
    verifiesFirstSave,
  ],
});
