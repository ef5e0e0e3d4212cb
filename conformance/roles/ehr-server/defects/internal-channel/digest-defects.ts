/**
 * Defects of an EHR server that takes a wrong digest for the right one. The authorization server signs a save
 * with a digest over its password and a secret: the user_sign of the link, or the exchange token.
 */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { type List, variantsOf } from '../../../../engine/defects/rows.mjs';
import type { Members } from '../../../../engine/defects/rpc-call.ts';
import { before, type EhrTurn, internalCred } from '../changes.ts';
import { SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

/** What a wrong server can compare the digest of a save with. */
type About = {
  /** The internal password. */
  password: string;
  /** What the right digest is over: the user_sign, or the exchange token. */
  secret: string;
  /** The right digest. */
  right: string;
  /** The cred.token of the call. */
  token: string;
  /** Whether the cred.token is the digest over a text, with the internal password unless another is given. */
  isOver: (text: string, password?: string) => boolean;
  /** All user_signs that were given out, all session tokens, and all exchange tokens. */
  signs: readonly string[];
  sessionTokens: readonly string[];
  exchangeTokens: readonly string[];
  /** The patient of the user's link. */
  patientId: string;
  /** The session that the call saves. */
  authInfo: Members;
};

/** Whether a wrong server takes the cred.token of a call, right or not. */
type Takes = (about: About) => boolean;

/**
 * What the digest of a save is over: the exchange token, or the user_sign of the user's link. Undefined: the
 * user has no link.
 */
export async function secretOf({
  params,
  authInfo,
  parts,
}: Pick<EhrTurn, 'params' | 'authInfo' | 'parts'>): Promise<string | undefined> {
  if (params.exchangeToken !== undefined) return String(params.exchangeToken);
  return (await parts.store.findLink(String(authInfo.user)))?.userSign;
}

/** Take wrong digests of a method: a taken call goes on to the right server with the right digest. */
const takes = (method: string, isTaken: Takes) =>
  before(method, async (turn) => {
    const secret = await secretOf(turn);
    const isWaved = secret !== undefined && isTaken(await aboutOf(turn, secret));
    return isWaved ? { ...turn.call, cred: internalCred(turn.parts, secret) } : undefined;
  });

/** Gathers what the cred.token of a call can be compared with. */
async function aboutOf({ cred, authInfo, parts, seen }: EhrTurn, secret: string): Promise<About> {
  const password = parts.rules.internalPassword;
  const token = String(cred.token);
  const link = await parts.store.findLink(String(authInfo.user));
  return {
    ...{ password, secret, token, authInfo },
    right: digest(password, secret),
    isOver: (text, key = password) => token === digest(key, text),
    signs: seen.calls.flatMap(({ result }) => ('userSign' in result ? String(result.userSign) : [])),
    sessionTokens: seen.sessions.map((session) => session.token),
    exchangeTokens: [...seen.exchangeTokens.keys()],
    patientId: link?.patientId ?? '',
  };
}
const latin1 = (password: string, secret: string) =>
  createHash('sha1').update(Buffer.from(password, 'latin1')).update(secret).digest('hex');

/**
 * A list: a text `id: rest of the title` begins a defect, which a function that says what is taken follows.
 * Titles begin with `The digest of METHOD is`.
 */
type Rows = List<Takes>;

/** Defects of save_auth_info. */
const OF_SAVE: Rows = [
  'digest-signature-first: verified with the signature before the password, too',
  ({ password, secret, isOver }) => isOver(password, secret),
  'digest-of-any-user: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
];

/** Defects of both saves. */
const OF_BOTH: Rows = [
  'digest-by-its-beginning: compared by its first sixteen characters',
  ({ right, token }) => token.slice(0, 16) === right.slice(0, 16),
  'digest-over-exchange-token: verified over an exchange token, too',
  ({ exchangeTokens, isOver }) => exchangeTokens.some((each) => isOver(each)),
  'digest-in-latin-1: verified over the password in Latin-1, too',
  ({ password, secret, token }) => token === latin1(password, secret),
];

/** Defects of save_exchange_token. */
const OF_EXCHANGE_TOKEN: Rows = [
  'exchange-digest-over-signature: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
  'exchange-digest-of-any-token: looked at for its shape alone',
  ({ token }) => /^[0-9a-f]{40}$/.test(token),
];

/** Turns a list into defects of a method, which one check must find. The prefix keeps the ids different. */
const defectsOf = (rows: Rows, method: string, caughtBy: string, prefix = '') =>
  variantsOf(rows, (isTaken) => takes(method, isTaken)).map(({ id, title, ...row }) => ({
    ...{ ...row, id: `${prefix}${id}`, caughtBy },
    title: `The digest of ${method.split('.').at(-1)} is ${title}`,
  }));

/** The rows of one list serve two methods where both saves can have the defect. */
export const digestDefects = [
  ...defectsOf([...OF_SAVE, ...OF_BOTH], SAVE, 'save-digest-verified'),
  ...defectsOf(OF_BOTH, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified', 'exchange-'),
  ...defectsOf(OF_EXCHANGE_TOKEN, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified'),
];
