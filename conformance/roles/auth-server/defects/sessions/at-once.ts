/** Defects of tokens, sessions and links that show when requests come at the same moment. */
import type { Context } from '#mock-auth-server/context.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { authInfoOf, type Outgoing } from '../calls/outgoing.ts';
import { type Call, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { later, slowly } from '../trouble/slow-parts.ts';

const refusal = (call: Call): Reply => ({
  jsonrpc: '2.0',
  id: call.id,
  error: { ...new RpcError('not_authorized').toObject() },
});

/** A reply that requests share: a later one overwrites it while the earlier ones wait. */
const sharedReply = (method: string) => (context: Context) => {
  let last: Reply | undefined;
  return async (call: Call, pass: (call: Call) => Promise<Reply>) => {
    const reply = await pass(call);
    if (call.method !== method || !reply.result) return reply;
    last = reply;
    await slowly(context);
    return { ...(last ?? reply), id: call.id };
  };
};

export const atOnceDefects: readonly Defect[] = [
  withPipeline(
    'exchange-requests-joined',
    'Requests for an exchange token that come at once are answered with one token',
    'exchange-tokens-at-once-differ',
    () => {
      const underWay = new Map<string, Promise<Reply>>();
      return async (call, pass) => {
        if (call.method !== 'auth.exchange_token') return pass(call);
        const key = call.cred?.token ?? '';
        const own = underWay.get(key) ?? pass(call).finally(() => underWay.delete(key));
        underWay.set(key, own);
        return { ...(await own), id: call.id };
      };
    },
  ),
  withPipeline(
    'exchange-token-in-shared-variable',
    'Requests for exchange tokens share a variable for the token',
    'exchange-tokens-at-once-differ',
    sharedReply('auth.exchange_token'),
  ),
  withPipeline(
    'reports-refuse-each-other',
    'Two reports of one link at once are both refused',
    'reports-at-once-kept',
    (context) => {
      const underWay = new Map<string, number>();
      const clashed = new Set<string>();
      return async (call, pass) => {
        const key = call.cred?.token ?? '';
        if (call.method !== 'auth.report_link') return pass(call);
        const others = underWay.get(key) ?? 0;
        if (others > 0) clashed.add(key);
        underWay.set(key, others + 1);
        const reply = await pass(call);
        await slowly(context);
        const left = (underWay.get(key) ?? 1) - 1;
        underWay.set(key, left);
        return clashed.has(key) ? refusal(call) : reply;
      };
    },
  ),
  withPipeline(
    'session-in-shared-variable',
    'Sign-ins at the same time share a variable for the session',
    'sign-ins-at-once-apart',
    sharedReply('auth.confirm_otp'),
  ),
  onShape('carried-sign', 'session-in-shared-variable', 'sign-ins-at-once-apart'),
  withContext(
    'logout-not-looked-at',
    'A logout during a request for an exchange token is overlooked',
    'no-token-after-logout',
    (context) => {
      const { sessions } = context.store;
      const { find } = sessions;
      const seen = new Map<string, NonNullable<ReturnType<typeof find>>>();
      let asking = 0;
      sessions.find = (hash) => {
        const key = Buffer.from(hash).toString('hex');
        const session = find(hash);
        if (session) seen.set(key, session);
        return session ?? (asking > 0 ? seen.get(key) : undefined);
      };
      return {
        ...context,
        ehr: {
          ...context.ehr,
          async saveExchangeToken(token, info) {
            asking++;
            try {
              return await context.ehr.saveExchangeToken(token, info);
            } finally {
              later(context, 0, () => asking--);
            }
          },
        },
      };
    },
  ),
  onShape('challenge', 'logout-not-looked-at', 'no-token-after-logout'),
  withContext(
    'report-revives-deleted-user',
    'A report that ends after the deletion makes the user anew, with the signature',
    'deletion-outlives-report',
    (context) => {
      const { directory } = context.store;
      const { ensureUser, keepUserSign } = directory;
      const known = new Map<string, Parameters<typeof ensureUser>[0]>();
      directory.ensureUser = (given) => {
        const user = ensureUser(given);
        known.set(user, { ...given, user });
        return user;
      };
      directory.keepUserSign = (user, sign) => {
        const row = known.get(user);
        if (row && directory.identityOf(user) === undefined) ensureUser(row);
        return keepUserSign(user, sign);
      };
      return context;
    },
  ),
  {
    id: 'one-ehr-call-at-a-time',
    title: 'A hanging call to the EHR server holds up the calls for everybody',
    caughtBy: 'others-go-on-while-one-hangs',
    fetch: (send) => {
      let line: Promise<unknown> = Promise.resolve();
      return (input, init) => {
        const own = line.then(() => send(input, { ...init, signal: AbortSignal.timeout(1_400) }));
        line = own.catch(() => undefined);
        return own;
      };
    },
  },
  {
    id: 'late-reply-read-as-next',
    title: "Each user's calls have a connection; the reply to one that was given up is read as the reply to the next",
    caughtBy: 'exchange-survives-hang',
    seenIn: ['redis/redis-py#2624', 'GHSA-24wv-mv5m-xv4h'],
    fetch: (send) => {
      const unread = new Map<unknown, Promise<Response>>();
      return async (input, { signal, ...init } = {}) => {
        const { user } = authInfoOf({ call: JSON.parse(String(init.body)) } as Outgoing);
        const own = send(input, init);
        own.catch(() => undefined);
        const reply = unread.get(user) ?? own;
        if (reply !== own) unread.set(user, own);
        const givenUp = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => {
            if (!unread.has(user)) unread.set(user, reply);
            reject(new TypeError('The call was given up.'));
          }),
        );
        return Promise.race([reply, givenUp]);
      };
    },
  },
  onShape('challenge', 'one-ehr-call-at-a-time', 'others-go-on-while-one-hangs'),
  onShape('carried-sign', 'one-ehr-call-at-a-time', 'others-go-on-while-one-hangs'),
];
