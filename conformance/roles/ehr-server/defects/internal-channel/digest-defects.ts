/** Defects of digests: what else is taken for the right one. */
import { createHash, createHmac } from 'node:crypto';
import { digest } from '#protocol/wire/digest.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { type EhrDefect, fromRow } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  credOf,
  paramsOf,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  type Tools,
  type WireCall,
} from '../messages/messages.ts';

type About = {
  password: string;
  /** The user_sign, or the exchange token. */
  secret: string;
  /** The signatures of all users who were linked. */
  signs: readonly string[];
  token: string;
  /** The session tokens that were announced or saved, and the exchange tokens. */
  sessionTokens: readonly string[];
  exchangeTokens: readonly string[];
  /** The patient of the user's link. */
  patientId: string;
  /** The authInfo of this very call. */
  authInfo: Readonly<Record<string, unknown>>;
};

/** Whether a wrong server takes this cred.token. */
type Takes = (about: About) => boolean;

export async function secretOf(call: WireCall, { parts }: Tools): Promise<string | undefined> {
  if (call.method === SAVE_EXCHANGE_TOKEN) return String(paramsOf(call).exchangeToken);
  if (call.method !== SAVE) return undefined;
  return (await parts.store.findLink(String(authInfoOf(call).user)))?.userSign;
}

/** Takes further digests of one method as right ones. */
function takes(method: string, isTaken: Takes): EhrChange {
  return {
    ...answering(() => {
      const signs = new Set<string>();
      const announced = new Set<string>();
      const exchanged = new Set<string>();
      return async (call, tools) => {
        const { internalPassword: password, internalUser: user } = tools.parts.rules;
        const secret = await secretOf(call, tools);
        if (call.method === SAVE && secret !== undefined) signs.add(secret);
        announced.add(String(authInfoOf(call).token));
        if (call.method === AUTHENTICATE) exchanged.add(String(paramsOf(call).exchangeToken));
        const link = await tools.parts.store.findLink(String(authInfoOf(call).user));
        if (link) signs.add(link.userSign);
        const { token } = credOf(call);
        const about = {
          password,
          signs: [...signs],
          token: String(token),
          sessionTokens: [...announced],
          exchangeTokens: [...exchanged],
          patientId: link?.patientId ?? '',
          authInfo: authInfoOf(call),
        };
        if (call.method !== method || secret === undefined || !isTaken({ ...about, secret })) return tools.next();
        return tools.next({ ...call, cred: { user, token: digest(password, secret) } });
      };
    }),
  };
}

const hmac = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40);

type Row = readonly [id: string, title: string, takes: Takes, ...seenIn: string[]];

const OF_SAVE: readonly Row[] = [
  [
    'digest-over-password',
    'is verified over the password alone',
    ({ password, token }) => token === digest(password, ''),
  ],
  [
    'digest-over-signature',
    'is verified over the empty password of a server without that setting',
    ({ secret, token }) => token === digest('', secret),
    'corsairdev/corsair#830',
  ],
  [
    'digest-signature-first',
    'is verified with the signature before the password, too',
    ({ password, secret, token }) => token === digest(secret, password),
  ],
  [
    'digest-with-separator',
    'is verified with a colon between password and signature, too',
    ({ password, secret, token }) => token === digest(password, `:${secret}`),
  ],
  [
    'digest-over-session-token',
    'is verified over the session token, too',
    ({ password, sessionTokens, token }) => sessionTokens.some((each) => digest(password, each) === token),
  ],
  [
    'digest-of-any-user',
    'is verified over the signature of any user',
    ({ password, signs, token }) => signs.some((sign) => digest(password, sign) === token),
  ],
  [
    'digest-by-sha-256',
    'is verified by SHA-256, too',
    ({ password, secret, token }) => token === sha256(password + secret),
  ],
];

const ALIKE: readonly Row[] = [
  [
    'digest-by-its-beginning',
    'is compared by its first sixteen characters',
    ({ password, secret, token }) => token.slice(0, 16) === digest(password, secret).slice(0, 16),
  ],
  [
    'digest-by-its-end',
    'is compared by its last sixteen characters',
    ({ password, secret, token }) => token.slice(-16) === digest(password, secret).slice(-16),
  ],
  [
    'digest-over-patient',
    'is verified over the id of the patient, too',
    ({ password, patientId, token }) => token === digest(password, patientId),
  ],
  [
    'digest-over-exchange-token',
    'is verified over an exchange token, too',
    ({ password, exchangeTokens, token }) => exchangeTokens.some((each) => token === digest(password, each)),
  ],
  [
    'digest-by-hmac',
    'is an HMAC under the password, too',
    ({ password, secret, token }) => token === hmac(password, secret),
  ],
  [
    'digest-with-line-end',
    'is verified over a secret with a line end, too',
    ({ password, secret, token }) => token === digest(password, `${secret}\n`),
    'wader/postfix-relay#299',
  ],
  [
    'digest-hashed-again',
    'is verified over its own digest, too',
    ({ password, secret, token }) => token === digest('', digest(password, secret)),
  ],
  [
    'digest-over-part',
    'is verified over the beginning of the secret, too',
    ({ password, secret, token }) => token === digest(password, secret.slice(0, -1)),
  ],
];

const OF_THIS_CALL: readonly Row[] = [
  [
    'digest-over-announced-token',
    'is verified over the session token of the same call, too',
    ({ password, authInfo, token }) => token === digest(password, String(authInfo.token)),
  ],
  [
    'digest-over-announced-ttl',
    'is verified over the ttl of the same call, too',
    ({ password, authInfo, token }) => token === digest(password, String(authInfo.ttl)),
  ],
];

const OF_SHAPE: readonly Row[] = [
  ['password-as-digest', 'is the password itself, too', ({ password, token }) => token === password],
  [
    'digest-by-sha-256-in-full',
    'is a whole SHA-256, too',
    ({ password, secret, token }) =>
      token ===
      createHash('sha256')
        .update(password + secret)
        .digest('hex'),
  ],
  [
    'digest-in-capitals',
    'is compared without regard to capitals',
    ({ password, secret, token }) => token.toLowerCase() === digest(password, secret),
  ],
  [
    'digest-begins-alike',
    'is compared as far as the caller sent it',
    ({ password, secret, token }) => token.length > 30 && digest(password, secret).startsWith(token),
  ],
  [
    'digest-cut-to-forty',
    'is cut to forty characters before it is compared',
    ({ password, secret, token }) => token.slice(0, 40) === digest(password, secret),
  ],
];

const OF_EXCHANGE_TOKEN: readonly Row[] = [
  [
    'exchange-digest-over-password',
    'is verified over the password alone',
    ({ password, token }) => token === digest(password, ''),
  ],
  [
    'exchange-digest-over-signature',
    'is verified over the signature of any user',
    ({ password, signs, token }) => signs.some((sign) => digest(password, sign) === token),
  ],
  [
    'exchange-digest-token-first',
    'is verified with the exchange token before the password, too',
    ({ password, secret, token }) => token === digest(secret, password),
  ],
  [
    'exchange-digest-of-any-token',
    'is looked at for its shape alone',
    ({ token }) => /^[0-9a-f]{40}$/.test(token),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  [
    'exchange-digest-over-session-token',
    'is verified over a session token, too',
    ({ password, sessionTokens, token }) => sessionTokens.some((each) => token === digest(password, each)),
  ],
];

const defectsOf = (rows: readonly Row[], method: string, caughtBy: string): EhrDefect[] =>
  rows.map(([id, what, isTaken, ...seenIn]) => {
    const title = `The digest of ${method.split('.').at(-1)} ${what}`;
    return fromRow([id, title, takes(method, isTaken), caughtBy, ...seenIn]);
  });

export const digestDefects: readonly EhrDefect[] = [
  ...defectsOf(OF_SAVE, SAVE, 'save-digest-verified'),
  ...defectsOf([...ALIKE, ...OF_THIS_CALL], SAVE, 'save-digest-verified'),
  ...defectsOf(
    [...ALIKE, ...OF_THIS_CALL].map(([id, ...row]) => [`exchange-${id}`, ...row] as const),
    SAVE_EXCHANGE_TOKEN,
    'exchange-token-digest-verified',
  ),
  ...defectsOf(OF_SHAPE, SAVE, 'save-digest-shape'),
  ...defectsOf(OF_EXCHANGE_TOKEN, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified'),
];
