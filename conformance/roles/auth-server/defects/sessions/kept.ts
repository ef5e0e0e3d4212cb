/** Defects in what is kept of a link, in the remains of a removed link, and in repeated calls. */
import type { Context } from '#mock-auth-server/context.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { replacing, sending } from '../trouble/troubled.ts';

/** Codes with which the EHR server refuses the signature of a removed link. */
const GONE = [-33000, -34007];
const INTERNAL_ERROR = -32603;
const TOKEN_STORED = -34003;

type Save = Context['ehr']['saveAuthInfo'];

/** The same server with another way of saving. */
function saving(context: Context, make: (save: Save) => Save): Context {
  return { ...context, ehr: { ...context.ehr, saveAuthInfo: make(context.ehr.saveAuthInfo) } };
}

/** Keeps signatures elsewhere than in the user's record. */
function keepsSigns(
  context: Context,
  kept: { put: (user: string, sign: string) => void; get: (user: string) => string | null },
) {
  const { entryOf, keepUserSign } = context.store.directory;
  context.store.directory.keepUserSign = (user, sign) => {
    kept.put(user, sign);
    return keepUserSign(user, sign);
  };
  context.store.directory.entryOf = (user) => {
    const entry = entryOf(user);
    return entry && { ...entry, userSign: entry.userSign === null ? null : kept.get(user) };
  };
  return context;
}

function cutSigns(context: Context): Context {
  const kept = new Map<string, string>();
  return keepsSigns(context, {
    put: (user, sign) => kept.set(user, sign.slice(0, 32)),
    get: (user) => kept.get(user) ?? null,
  });
}

function lastSignForAll(context: Context): Context {
  let last: string | null = null;
  return keepsSigns(context, {
    put: (_user, sign) => {
      last = sign;
    },
    get: () => last,
  });
}

function signsInMemory(context: Context): Context {
  const kept = new Map<string, string>();
  return keepsSigns(context, { put: (user, sign) => kept.set(user, sign), get: (user) => kept.get(user) ?? null });
}

/** Never forgets a signature, nor accepts a new one in its place. */
function firstSignForEver({ store, ...context }: Context): Context {
  const { directory } = store;
  const { keepUserSign, replaceUserSign, entryOf } = directory;
  directory.keepUserSign = (user, sign) => (entryOf(user)?.userSign ? true : keepUserSign(user, sign));
  directory.replaceUserSign = (user, from, to) => {
    if (from === null) replaceUserSign(user, from, to);
  };
  return { ...context, store };
}

export const keptDefects: readonly Defect[] = [
  withContext('sign-not-kept', 'The signature of a reported link is not kept', 'signature-kept-at-link', (context) => {
    context.store.directory.keepUserSign = (user) => context.store.directory.entryOf(user) !== undefined;
    return context;
  }),
  withContext('sign-cut-when-kept', 'Only 32 characters of a signature are kept', 'signature-kept-at-link', cutSigns),
  withContext(
    'sign-of-last-link-kept',
    'One place holds the signature of the last link of anybody',
    'signatures-kept-of-many',
    lastSignForAll,
  ),
  withContext('signs-in-memory', 'A restart forgets the signatures', 'link-kept-over-restart', signsInMemory),
  {
    id: 'everything-in-memory',
    title: 'A restart forgets users and links',
    caughtBy: 'user-kept-over-restart',
    env: { AUTH_DATABASE: ':memory:' },
  },
  {
    ...withPipeline(
      'foreign-sign-kept',
      'A reported signature is kept before the EHR server has accepted it',
      'foreign-sign-not-kept',
      (context) => (call, pass) => {
        if (call.method === 'auth.report_link' && call.cred)
          context.store.directory.keepUserSign(call.cred.user, String(call.params.user_sign));
        return pass(call);
      },
    ),
    seenIn: ['keratin/authn-server#245'],
  },
  withContext(
    'foreign-sign-welcome',
    'A signature that the EHR server refuses at a report is answered with success',
    'foreign-sign-refused',
    (context) =>
      saving(context, (save) => async (...call) => {
        const refusal = await save(...call);
        return refusal?.code === GONE[0] ? undefined : refusal;
      }),
  ),
  withContext(
    'stale-sign-called-linked',
    'A sign-in with the signature of a link that is gone is called linked',
    'disconnected-user-told',
    (context) =>
      saving(context, (save) => async (...call) => {
        const refusal = await save(...call);
        return refusal && GONE.includes(refusal.code) ? undefined : refusal;
      }),
  ),
  withContext(
    'stale-sign-locks-out',
    'A sign-in fails for as long as the signature of a link that is gone is on record',
    'disconnected-user-not-locked-out',
    (context) =>
      saving(context, (save) => async (...call) => {
        const refusal = await save(...call);
        return refusal && GONE.includes(refusal.code) ? { code: INTERNAL_ERROR } : refusal;
      }),
  ),
  withContext(
    'stale-sign-fails-once',
    'The first sign-in with the signature of a link that is gone fails',
    'disconnected-user-signed-in',
    (context) =>
      saving(context, (save) => async (info, sign) => {
        const refusal = await save(info, sign);
        if (!refusal || !GONE.includes(refusal.code)) return refusal;
        context.store.directory.replaceUserSign(info.user, sign, null);
        return { code: INTERNAL_ERROR };
      }),
  ),
  withContext(
    'stale-user-blocked',
    'A user whose signature was refused gets no exchange token any more',
    'disconnected-user-links-anew',
    (context) => {
      const blocked = new Set<string>();
      const { ehr } = saving(context, (save) => async (info, sign) => {
        const refusal = await save(info, sign);
        if (refusal && GONE.includes(refusal.code)) blocked.add(info.user);
        return refusal;
      });
      return {
        ...context,
        ehr: {
          ...ehr,
          saveExchangeToken: async (token, info) => {
            if (blocked.has(info.user)) throw new RpcError('ehr_refused');
            return ehr.saveExchangeToken(token, info);
          },
        },
      };
    },
  ),
  withContext(
    'stale-sign-stays',
    'A signature that the EHR server refused stays on record',
    'stale-signature-forgotten',
    (context) => {
      const { replaceUserSign } = context.store.directory;
      context.store.directory.replaceUserSign = (user, from, to) => {
        if (to !== null) replaceUserSign(user, from, to);
      };
      return context;
    },
  ),
  withContext(
    'first-sign-for-ever',
    'The signature of the first link is used for ever',
    'new-signature-used',
    firstSignForEver,
  ),
  {
    ...sending(
      'repeats-thirty-times',
      'A call that fails is sent thirty times',
      'calls-in-trouble-bounded',
      (send) => async (input, init) => {
        for (let sent = 1; ; sent++) {
          const response = await send(input, init).catch((error: unknown) => {
            if (sent === 30 || init?.signal?.aborted) throw error;
            return undefined;
          });
          if (response && (response.status < 500 || sent === 30)) return response;
        }
      },
    ),
    seenIn: ['fabriziosalmi/proxxx#254', 'panoramicdata/PanoramicData.OData.Client#43'],
  },
  {
    ...withContext(
      'own-repeat-refused',
      'A save whose reply was lost is repeated, and that it is stored already is told as a failure',
      'own-repeat-is-success',
      (context) =>
        saving(context, (save) => async (...call) => {
          const refusal = await save(...call);
          return refusal?.code === TOKEN_STORED ? { code: INTERNAL_ERROR } : refusal;
        }),
    ),
    fetch: (send) => (input, init) =>
      send(input, init).catch((error: unknown) => (init?.signal?.aborted ? Promise.reject(error) : send(input, init))),
    seenIn: ['apify/apify-client-python#990'],
  },
  replacing(
    'gzip-offered-not-unpacked',
    'Replies in gzip are not unpacked, though the requests offer it',
    'exchange-answers-gzip',
    (send) => async (input, init) => {
      const response = await send(input, init);
      return response.headers.get('content-encoding') === 'gzip' ? new Response('\u001f\u008b') : response;
    },
  ),
];
