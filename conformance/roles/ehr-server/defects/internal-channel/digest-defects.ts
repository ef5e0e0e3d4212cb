/**
 * Defects of an EHR server that takes a wrong digest for the right one. The authorization server signs a save
 * with a digest over its password and a secret: the user_sign of the link, or the exchange token.
 */
import { createHash, createHmac } from 'node:crypto';
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

const hmac = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex');
const latin1 = (password: string, secret: string) =>
  createHash('sha1').update(Buffer.from(password, 'latin1')).update(secret).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * A list: a text `id: rest of the title` begins a defect, which a function that says what is taken follows,
 * then `owner/repo#number` of public systems that had the defect. Titles begin with `The digest of METHOD
 * is`.
 */
type Rows = List<Takes>;

/** Defects of save_auth_info. */
const OF_SAVE: Rows = [
  'digest-over-password: verified over the password alone',
  ({ isOver }) => isOver(''),
  'digest-over-signature: verified over an empty password',
  ({ secret, isOver }) => isOver(secret, ''),
  'corsairdev/corsair#830',
  'digest-signature-first: verified with the signature before the password, too',
  ({ password, secret, isOver }) => isOver(password, secret),
  'digest-with-separator: verified with a colon between password and signature, too',
  ({ secret, isOver }) => isOver(`:${secret}`),
  'digest-over-session-token: verified over the session token, too',
  ({ sessionTokens, isOver }) => sessionTokens.some((each) => isOver(each)),
  'digest-of-any-user: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
  'digest-by-sha-256: verified by SHA-256, too',
  ({ password, secret, token }) => token === sha256(password + secret).slice(0, 40),
];

/** Defects of both saves. */
const OF_BOTH: Rows = [
  'digest-by-its-beginning: compared by its first sixteen characters',
  ({ right, token }) => token.slice(0, 16) === right.slice(0, 16),
  'digest-by-its-end: compared by its last sixteen characters',
  ({ right, token }) => token.slice(-16) === right.slice(-16),
  'digest-as-far-as-sent: compared as far as the caller sent it, from its first character',
  ({ right, token }) => right.startsWith(token),
  'digest-over-patient: verified over the id of the patient, too',
  ({ patientId, isOver }) => isOver(patientId),
  'digest-over-exchange-token: verified over an exchange token, too',
  ({ exchangeTokens, isOver }) => exchangeTokens.some((each) => isOver(each)),
  'digest-by-hmac: an HMAC under the password, too',
  ({ password, secret, token }) => token === hmac(password, secret),
  'digest-with-line-end: verified over a secret with a line end, too',
  ({ secret, isOver }) => isOver(`${secret}\n`),
  'wader/postfix-relay#299',
  'digest-hashed-again: verified over its own digest, too',
  ({ right, isOver }) => isOver(right, ''),
  'digest-over-part: verified over the beginning of the secret, too',
  ({ secret, isOver }) => isOver(secret.slice(0, -1)),
  'digest-without-letters: verified over the password without its letters beyond ASCII, too',
  ({ password, secret, isOver }) => isOver(secret, password.replace(/\P{ASCII}/gu, '')),
  'digest-with-question-marks: verified with question marks for letters beyond ASCII, too',
  ({ password, secret, isOver }) => isOver(secret, password.replace(/\P{ASCII}/gu, '?')),
  'digest-in-latin-1: verified over the password in Latin-1, too',
  ({ password, secret, token }) => token === latin1(password, secret),
  'digest-of-trimmed-password: verified over the password without the blanks around it, too',
  ({ password, secret, isOver }) => isOver(secret, password.trim()),
  'digest-over-announced-token: verified over the session token of its call, too',
  ({ authInfo, isOver }) => isOver(String(authInfo.token)),
  'digest-over-announced-ttl: verified over the ttl of the same call, too',
  ({ authInfo, isOver }) => isOver(String(authInfo.ttl)),
];

/** Defects that take a text which is no digest of 40 small hexadecimal digits. */
const OF_SHAPE: Rows = [
  'password-as-digest: the password itself, too',
  ({ password, token }) => token === password,
  'digest-by-sha-256-in-full: a whole SHA-256, too',
  ({ password, secret, token }) => token === sha256(password + secret),
  'digest-in-capitals: compared without regard to capitals',
  ({ right, token }) => token.toLowerCase() === right,
  'digest-begins-alike: compared as far as the caller sent it',
  ({ right, token }) => token.length > 30 && right.startsWith(token),
  'digest-cut-to-forty: cut to forty characters before it is compared',
  ({ right, token }) => token.slice(0, 40) === right,
];

/** Defects of save_exchange_token. */
const OF_EXCHANGE_TOKEN: Rows = [
  'exchange-digest-over-password: verified over the password alone',
  ({ isOver }) => isOver(''),
  'exchange-digest-over-signature: verified over the signature of any user',
  ({ signs, isOver }) => signs.some((sign) => isOver(sign)),
  'exchange-digest-token-first: verified with the exchange token before the password, too',
  ({ password, secret, isOver }) => isOver(password, secret),
  'exchange-digest-of-any-token: looked at for its shape alone',
  ({ token }) => /^[0-9a-f]{40}$/.test(token),
  'cobbler/cobbler#1916 (CVE-2018-1000226)',
  'exchange-digest-over-session-token: verified over a session token, too',
  ({ sessionTokens, isOver }) => sessionTokens.some((each) => isOver(each)),
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
  ...defectsOf(OF_SHAPE, SAVE, 'save-digest-shape'),
  ...defectsOf(OF_EXCHANGE_TOKEN, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified'),
];
