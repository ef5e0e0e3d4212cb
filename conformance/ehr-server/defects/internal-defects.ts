/** Defects of the internal channel: digests, the internal user, and who may call what. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/digest.ts';
import { hashToken } from '#protocol/secrets.ts';
import type { EhrChange } from '../self-test/serve.ts';
import type { EhrDefect } from './defect.ts';
import { inRequests } from './http-messages.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  paramsOf,
  propertiesIn,
  READ,
  refusal,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  type Tools,
  type WireCall,
} from './messages.ts';

type About = {
  password: string;
  /** The user_sign, or the exchange token. */
  secret: string;
  /** The signatures of all users who were linked. */
  signs: readonly string[];
  token: string;
  /** The session tokens that were announced or saved. */
  sessionTokens: readonly string[];
};

/** Whether a wrong server takes this cred.token. */
type Takes = (about: About) => boolean;

async function secretOf(call: WireCall, { parts }: Tools): Promise<string | undefined> {
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
      return async (call, tools) => {
        const { internalPassword: password, internalUser: user } = tools.parts.rules;
        const secret = await secretOf(call, tools);
        if (call.method === SAVE && secret !== undefined) signs.add(secret);
        announced.add(String(authInfoOf(call).token));
        const { token } = credOf(call);
        const about = {
          password,
          signs: [...signs],
          token: String(token),
          sessionTokens: [...announced],
        };
        if (call.method !== method || secret === undefined || !isTaken({ ...about, secret })) return tools.next();
        return tools.next({ ...call, cred: { user, token: digest(password, secret) } });
      };
    }),
  };
}

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

const OF_SHAPE: readonly Row[] = [
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
];

const defectsOf = (rows: readonly Row[], method: string, caughtBy: string): EhrDefect[] =>
  rows.map(([id, what, isTaken, ...seenIn]) => ({
    id,
    title: `The digest of ${method.split('.').at(-1)} ${what}`,
    change: takes(method, isTaken),
    caughtBy,
    ...(seenIn.length > 0 && { seenIn }),
  }));

/** Lets calls through whose cred is wrong in one way. */
function rightCredWhere(method: string, isWaved: (cred: unknown, tools: Tools) => boolean): EhrChange {
  return answering(() => async (call, tools) => {
    const secret = await secretOf(call, tools);
    if (call.method !== method || secret === undefined || !isWaved(call.cred, tools)) return tools.next();
    const { internalPassword: password, internalUser: user } = tools.parts.rules;
    return tools.next({ ...call, cred: { user, token: digest(password, secret) } });
  });
}

const isMissing = (cred: unknown) => cred === undefined || cred === null;

/** Serves an endpoint as if it were for both channels. */
const servesBoth = (channel: 'public' | 'internal'): EhrChange => ({
  pipeline: (pipeline) => (text, asked, admit) => pipeline(text, asked === channel ? 'any' : asked, admit),
});

/** Puts the right digest into a call whose header carries the password. */
const takesHeader: EhrChange = {
  ...rightCredWhere(SAVE, (cred) => (cred as { user?: unknown } | undefined)?.user === HEADER_USER),
  ...inRequests(({ headers, body }) => {
    if (headers.authorization === undefined) return {};
    const call = JSON.parse(body.toString());
    return { body: Buffer.from(JSON.stringify({ ...call, cred: { user: HEADER_USER, token: '' } })) };
  }),
};
const HEADER_USER = 'named by a header';

export const internalDefects: readonly EhrDefect[] = [
  ...defectsOf(OF_SAVE, SAVE, 'save-digest-verified'),
  ...defectsOf(OF_SHAPE, SAVE, 'save-digest-shape'),
  ...defectsOf(OF_EXCHANGE_TOKEN, SAVE_EXCHANGE_TOKEN, 'exchange-token-digest-verified'),
  {
    id: 'save-without-cred',
    title: 'save_auth_info without a cred is carried out',
    change: rightCredWhere(SAVE, isMissing),
    caughtBy: 'save-needs-cred',
  },
  {
    id: 'exchange-token-without-cred',
    title: 'save_exchange_token without a cred is carried out',
    change: rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
    caughtBy: 'exchange-token-needs-cred',
  },
  {
    id: 'internal-user-never-compared',
    title: 'The user of an internal cred is never compared',
    change: answering(() => (call, { next, parts }) => {
      if (call.method !== SAVE) return next();
      return next({ ...call, cred: { ...credOf(call), user: parts.rules.internalUser } });
    }),
    caughtBy: 'internal-user-checked',
  },
  {
    id: 'internal-user-in-any-case',
    title: 'The internal user name is compared without regard to capitals',
    change: answering(() => (call, { next, parts }) => {
      const { user } = credOf(call);
      const isAlike = String(user).toLowerCase() === parts.rules.internalUser.toLowerCase();
      return next(
        call.method === SAVE && isAlike ? { ...call, cred: { ...credOf(call), user: parts.rules.internalUser } } : call,
      );
    }),
    caughtBy: 'internal-user-checked',
  },
  {
    id: 'password-in-header',
    title: 'An Authorization header takes the place of the digest',
    change: takesHeader,
    caughtBy: 'authorization-header-opens-nothing',
  },
  {
    id: 'session-saves',
    title: 'save_auth_info takes a session in the place of the digest',
    change: answering(() => async (call, tools) => {
      const session = await tools.parts.store.findSession(hashToken(String(credOf(call).token)));
      return call.method === SAVE && session ? success(call, tools.parts) : tools.next();
    }),
    caughtBy: 'levels-not-mixed',
  },
  {
    id: 'digest-reads',
    title: 'get_patient takes the internal user in the place of a session',
    change: answering(
      () =>
        (call, { next, parts }) =>
          call.method === READ && credOf(call).user === parts.rules.internalUser
            ? accepted(call, { patient: null })
            : next(),
    ),
    caughtBy: 'levels-not-mixed',
  },
  {
    id: 'internal-methods-in-public',
    title: 'The two save methods are served at the public address',
    change: servesBoth('public'),
    caughtBy: 'internal-methods-not-public',
    seenIn: ['Start9Labs/start-technologies#3665', 'alpenlabs/alpen#173'],
  },
  {
    id: 'client-methods-inside',
    title: 'The methods of a client are served at the internal address',
    change: servesBoth('internal'),
    caughtBy: 'client-methods-not-internal',
  },
  {
    id: 'phone-compared-with-user',
    title: 'authenticate is refused where the user is named by another phone than the patient has',
    change: answering(() => {
      const users = new Map<unknown, string>();
      return (call, { next }) => {
        const { exchangeToken } = paramsOf(call);
        if (call.method === SAVE_EXCHANGE_TOKEN) users.set(exchangeToken, String(authInfoOf(call).user));
        const [named] = /\d{11}$/.exec(users.get(exchangeToken) ?? '') ?? [];
        const isOther = named !== undefined && named !== propertiesIn(call).phone;
        return call.method === AUTHENTICATE && isOther ? refusal(call, 'patient_not_matched') : next();
      };
    }),
    caughtBy: 'phone-not-asked-again',
  },
];
