/** Defects after a logout or a deletion, and of many users at once. */
import { RpcError } from '#protocol/wire/errors.ts';
import { addedSession, freshCode, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

/** Real time that a request takes beside its answer. A server that answers at once never has eight. */
const WORK_MS = 20;

export const endedSessionDefects: readonly Defect[] = [
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
  withPipeline(
    'logout-opens-session',
    'The answer to a logout carries a new session of the user',
    'logout-opens-no-session',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      if (call.method !== 'auth.logout' || !reply.result || !call.cred) return reply;
      return { ...reply, result: { ...reply.result, authInfo: addedSession(context, call.cred.user) } };
    },
  ),
  onShape('challenge', 'logout-opens-session', 'logout-opens-no-session'),
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
  withPipeline(
    'eight-at-once',
    'More than eight requests at the same moment are refused',
    'crowd-unharmed',
    ({ clock }) => {
      let underWay = 0;
      const pause = () => new Promise<void>((resolve) => clock.after(WORK_MS, resolve));
      return async (call, pass) => {
        if (underWay >= 8) {
          const error = { code: -32000, message: 'Busy.', data: { reason: 'busy' } };
          return { jsonrpc: '2.0', id: call.id, error };
        }
        underWay++;
        try {
          await pause();
          return await pass(call);
        } finally {
          underWay--;
        }
      };
    },
  ),
];
