/** Defects in tokens and sessions: how they are made, and who gets them. */
import { hashToken } from '#protocol/wire/secrets.ts';
import { codeOf, lastSession, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';

export const sessionDefects: readonly Defect[] = [
  withPipeline(
    'correspondence-error-swallowed',
    'A missing correspondence entry is answered with success',
    'missing-correspondence-told',
    () => async (call, pass) => {
      const reply = await pass(call);
      return reply.error?.data.reason === 'user_unknown' ? { jsonrpc: '2.0', id: call.id, result: {} } : reply;
    },
  ),

  withContext(
    'token-before-ehr',
    'The exchange token reaches the client before the EHR server',
    'exchange-token-ehr-first',
    (context) => ({
      ...context,
      ehr: {
        ...context.ehr,
        async saveExchangeToken(token, info) {
          context.clock.after(50, () => void context.ehr.saveExchangeToken(token, info).catch(() => undefined));
          return undefined;
        },
      },
    }),
  ),
  withContext(
    'token-never-sent',
    'The exchange token is never sent to the EHR server',
    'exchange-token-known-to-ehr',
    (context) => ({ ...context, ehr: { ...context.ehr, saveExchangeToken: async () => undefined } }),
  ),
  withContext(
    'other-token-sent',
    'The EHR server is sent another exchange token',
    'exchange-token-known-to-ehr',
    (context) => ({
      ...context,
      ehr: {
        ...context.ehr,
        saveExchangeToken: (token, info) => context.ehr.saveExchangeToken(`${token.slice(1)}x`, info),
      },
    }),
  ),
  withPipeline(
    'exchange-token-cached',
    'A session is given the same exchange token each time',
    'exchange-token-new-each-time',
    () => {
      const cache = new Map<string, Reply>();
      return async (call, pass) => {
        if (call.method !== 'auth.exchange_token') return pass(call);
        const key = call.cred?.token ?? '';
        const reply = cache.get(key) ?? (await pass(call));
        if (reply.result) cache.set(key, reply);
        return { ...reply, id: call.id };
      };
    },
  ),
  weakRandom('exchange-tokens-counted', 'Exchange tokens are counted up', 'exchange-token-entropy', (count) =>
    Uint8Array.from({ length: 32 }, (_, index) => (index < 28 ? 7 : (count >> (8 * (31 - index))) & 255)),
  ),
  weakRandom('exchange-tokens-short', 'Exchange tokens have 48 bits', 'exchange-token-entropy', undefined, 6),
  weakRandom('session-tokens-short', 'Session tokens have 64 bits', 'session-token-entropy', undefined, 8),
  weakRandom('session-tokens-dated', 'Session tokens are a constant and a counter', 'session-token-entropy', (count) =>
    Uint8Array.from({ length: 32 }, (_, index) => (index < 29 ? index : (count >> (8 * (31 - index))) & 255)),
  ),
  withPipeline(
    'exchange-for-last-session',
    'The exchange token is bound to whoever signed in last',
    'exchange-token-bound-to-asker',
    () => {
      const last = lastSession();
      return async (call, pass) => {
        const shared = call.method === 'auth.exchange_token' && call.cred && last.get();
        const reply = await pass(shared ? { ...call, cred: shared } : call);
        last.seen(reply);
        return reply;
      };
    },
  ),
  withPipeline(
    'users-new-each-time',
    'Every sign-in makes a new user',
    'users-stable',
    (context) => async (call, pass) => {
      const user = context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) });
      if (call.method === 'auth.confirm_otp' && user && !call.params.ehr_user_sign) {
        const messages = codeOf(context, call.params.phone);
        if (messages[0]?.code === call.params.code) context.store.directory.removeUser(user);
      }
      return pass(call);
    },
  ),
  withPipeline(
    'session-token-per-user',
    'A user is given the same session token at every sign-in',
    'session-tokens-unique',
    () => {
      const kept = new Map<string, Reply>();
      return async (call, pass) => {
        const reply = await pass(call);
        if (call.method !== 'auth.confirm_otp' || !reply.result) return reply;
        const phone = String(call.params.phone);
        if (!kept.has(phone)) kept.set(phone, reply);
        return { ...(kept.get(phone) as Reply), id: call.id };
      };
    },
  ),

  withPipeline('no-session-needed', 'Without a session the last one is used', 'exchange-token-needs-session', () => {
    const last = lastSession();
    return async (call, pass) => {
      const shared = call.method === 'auth.exchange_token' && !call.cred?.token && last.get();
      const reply = await pass(shared ? { ...call, cred: shared } : call);
      last.seen(reply);
      return reply;
    };
  }),
  withPipeline(
    'no-cred-never-answered',
    'A request of an exchange token without cred is never answered',
    'exchange-token-needs-session',
    () => async (call, pass) =>
      call.method === 'auth.exchange_token' && call.cred === undefined
        ? new Promise<never>(() => undefined)
        : pass(call),
  ),
  withPipeline('token-not-verified', 'Only the user of a session is verified', 'invented-session-refused', () => {
    const tokens = new Map<string, string>();
    return async (call, pass) => {
      const known = call.method === 'auth.exchange_token' ? tokens.get(call.cred?.user ?? '') : undefined;
      const reply = await pass(known ? { ...call, cred: { user: call.cred?.user ?? '', token: known } } : call);
      const info = reply.result?.authInfo as { user: string; token: string } | undefined;
      if (info) tokens.set(info.user, info.token);
      return reply;
    };
  }),
  withPipeline(
    'user-not-verified',
    'Only the token of a session is verified',
    'mixed-session-refused',
    (context) => (call, pass) => {
      const session = call.cred && context.store.sessions.find(hashToken(call.cred.token));
      return pass(session && call.cred ? { ...call, cred: { user: session.user, token: call.cred.token } } : call);
    },
  ),
];

/** Draws every token of 32 bytes with `make`, or shortens it: session tokens and exchange tokens alike. */
function weakRandom(
  id: string,
  title: string,
  caughtBy: string,
  make: ((count: number) => Uint8Array) | undefined,
  bytes = 32,
): Defect {
  return withContext(id, title, caughtBy, (context) => {
    let count = 0;
    return {
      ...context,
      random: (length) => (length === 32 ? (make?.(++count) ?? context.random(bytes)) : context.random(length)),
    };
  });
}
