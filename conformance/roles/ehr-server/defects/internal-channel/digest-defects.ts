/** Defects of an EHR server that takes a wrong digest of a save for the right one. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { type List, variantsOf } from '../../../../engine/defects/rows.mjs';
import { before, type EhrTurn, internalCred } from '../changes.ts';
import { SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

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
