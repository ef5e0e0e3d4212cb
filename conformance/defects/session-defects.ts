/** Defects in tokens and sessions: who gets them, and how long they live. */
import { hashToken } from '#mock-auth-server/context.ts';
import { RpcError } from '#protocol/errors.ts';
import type { Defect } from './defect.ts';
import { codeOf, freshCode, lastSession, type Reply, withContext, withPipeline } from './varied.ts';

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
  withContext(
    'session-outlives-logout',
    'The session lives on after the logout',
    'logged-out-session-refused',
    (context) => {
      context.store.sessions.end = () => true;
      return context;
    },
    { seenIn: ['bitwarden/server#383', 'casdoor/casdoor#2133'] },
  ),
  withContext(
    'report-after-logout',
    'A link can be reported after the logout',
    'logged-out-session-not-saved',
    (context) => {
      context.store.sessions.end = () => true;
      return context;
    },
  ),
  withContext(
    'session-outlives-deletion',
    'The session lives on after the deletion',
    'deleted-session-refused',
    (context) => {
      context.store.deleteUser = () => undefined;
      return context;
    },
  ),
  withPipeline(
    'old-token-revives-deleted-user',
    'A call with the token of a deleted user makes the user anew',
    'deleted-session-refused',
    (context) => {
      const gone = new Map<string, string>();
      return async (call, pass) => {
        const token = call.cred?.token ?? '';
        if (call.method === 'auth.delete_user') {
          const identity = context.store.directory.identityOf(call.cred?.user ?? '');
          const reply = await pass(call);
          if (reply.result && identity) gone.set(token, identity.value);
          return reply;
        }
        const phone = gone.get(token);
        if (call.method !== 'auth.exchange_token' || phone === undefined) return pass(call);
        const params = { phone, code: freshCode(context, phone) };
        const anew = await pass({ jsonrpc: '2.0', id: call.id, method: 'auth.confirm_otp', params });
        return pass({ ...call, cred: anew.result?.authInfo as NonNullable<typeof call.cred> });
      };
    },
    { seenIn: ['usenotra/notra#846'] },
  ),
  withContext(
    'sign-outlives-deletion',
    'The user_sign is kept after the deletion',
    'deleted-user-forgotten',
    (context) => {
      context.store.deleteUser = () => undefined;
      return context;
    },
  ),
  withPipeline(
    'deleted-phone-blocked',
    'The phone of a deleted user cannot link again',
    'deleted-user-links-anew',
    (context) => {
      const blocked = new Set<string>();
      return async (call, pass) => {
        const identity = call.cred && context.store.directory.identityOf(call.cred.user);
        if (call.method === 'auth.report_link' && identity && blocked.has(identity.value)) {
          return { jsonrpc: '2.0', id: call.id, error: { ...new RpcError('not_authorized').toObject() } };
        }
        if (call.method === 'auth.delete_user' && identity) blocked.add(identity.value);
        return pass(call);
      };
    },
  ),
  withPipeline(
    'everybody-linked',
    'A new user is presented with the session of the last linked one',
    'others-secrets-not-to-client',
    () => {
      let other: Reply | undefined;
      return async (call, pass) => {
        const reply = await pass(call);
        if (call.method !== 'auth.exchange_token' || !reply.result) return reply;
        const given = other ?? reply;
        other = other ? undefined : reply;
        return { ...given, id: call.id };
      };
    },
  ),
  withPipeline('eight-at-once', 'More than eight requests at the same moment are refused', 'crowd-unharmed', () => {
    let underWay = 0;
    return async (call, pass) => {
      if (underWay >= 8) {
        const error = { code: -32000, message: 'Busy.', data: { reason: 'busy' } };
        return { jsonrpc: '2.0', id: call.id, error };
      }
      underWay++;
      try {
        return await pass(call);
      } finally {
        underWay--;
      }
    };
  }),
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
