/** Defects in several sessions of one user, in the identity of users, and in locks. */
import type { Context } from '#mock-auth-server/context.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import { authInfoOf, type Outgoing } from '../calls/outgoing.ts';
import { type Call, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { jsonOf } from '../trouble/troubled.ts';

type Info = { user: string; token: string };
const infoOf = (reply: Reply) => reply.result?.authInfo as Info | undefined;

/** The sessions given out so far, by user. */
function givenSessions() {
  const byUser = new Map<string, Info[]>();
  return {
    seen(reply: Reply) {
      const info = infoOf(reply);
      if (info) byUser.set(info.user, [...(byUser.get(info.user) ?? []), info]);
    },
    of: (user: string | undefined) => byUser.get(user ?? '') ?? [],
  };
}

const end = (context: Context, { token }: Info) => context.store.sessions.end(hashToken(token), context.clock.now());

const SECOND_DEVICE = ['jagduvi1/Cellarion#1218', 'spaze/michalspacek.cz#797'];
const LOGOUT_ALL = ['opencloud-eu/docs#649'];
const DELETION_LEAVES = ['sourcegraph/sourcegraph-public-snapshot#64445', 'mcdonc/klangk#3195'];

export const deviceDefects: readonly Defect[] = [
  withPipeline(
    'second-sign-in-ends-first',
    'A sign-in ends the earlier sessions of the user',
    'second-sign-in-leaves-first',
    (context) => {
      const given = givenSessions();
      return async (call, pass) => {
        const reply = await pass(call);
        const info = infoOf(reply);
        if (info) for (const earlier of given.of(info.user)) end(context, earlier);
        given.seen(reply);
        return reply;
      };
    },
    { seenIn: SECOND_DEVICE },
  ),
  onShape('carried-sign', 'second-sign-in-ends-first', 'second-sign-in-leaves-first', { seenIn: SECOND_DEVICE }),
  withPipeline(
    'logout-ends-all',
    'A logout ends every session of the user',
    'logout-leaves-other-devices',
    (context) => {
      const given = givenSessions();
      return async (call, pass) => {
        const reply = await pass(call);
        given.seen(reply);
        if (call.method === 'auth.logout' && reply.result)
          for (const each of given.of(call.cred?.user)) end(context, each);
        return reply;
      };
    },
    { seenIn: LOGOUT_ALL },
  ),
  onShape('challenge', 'logout-ends-all', 'logout-leaves-other-devices', { seenIn: LOGOUT_ALL }),
  withPipeline(
    'deletion-leaves-others',
    'A deletion ends the asking session alone',
    'deletion-ends-all-sessions',
    (context) => async (call, pass) => {
      const session = call.cred && context.store.sessions.find(hashToken(call.cred.token));
      if (call.method !== 'auth.delete_user' || !call.cred || !session) return pass(call);
      end(context, call.cred);
      return { jsonrpc: '2.0', id: call.id, result: {} };
    },
    { seenIn: DELETION_LEAVES },
  ),
  onShape('challenge', 'deletion-leaves-others', 'deletion-ends-all-sessions', { seenIn: DELETION_LEAVES }),
  withPipeline(
    'dead-token-handed-again',
    'The session that was given out last is kept for each phone, and given again after it was logged out',
    'session-after-logout-is-new',
    () => {
      const kept = new Map<string, Reply>();
      const ended = new Set<string>();
      return async (call, pass) => {
        const reply = await pass(call);
        if (call.method === 'auth.logout' && reply.result) ended.add(call.cred?.token ?? '');
        if (call.method !== 'auth.confirm_otp' || !reply.result) return reply;
        const phone = String(call.params.phone);
        const before = kept.get(phone);
        if (before && ended.has(infoOf(before)?.token ?? '')) return { ...before, id: call.id };
        kept.set(phone, reply);
        return reply;
      };
    },
    { seenIn: ['AzureAD/microsoft-authentication-library-for-python#335'] },
  ),
  withPipeline(
    'exchange-token-of-first-session',
    "A second session's exchange token is bound to the first",
    'exchange-token-bound-to-asker',
    () => {
      const given = givenSessions();
      return async (call, pass) => {
        const first = call.method === 'auth.exchange_token' ? given.of(call.cred?.user)[0] : undefined;
        const reply = await pass(first ? { ...call, cred: first } : call);
        given.seen(reply);
        return reply;
      };
    },
  ),
  onShape('challenge', 'exchange-token-of-first-session', 'exchange-token-bound-to-asker'),
  onShape('carried-sign', 'exchange-token-of-first-session', 'exchange-token-bound-to-asker'),
  {
    id: 'taken-token-saved-again',
    title: 'A session token that is stored already is saved again with a shorter ttl',
    caughtBy: 'token-not-saved-for-two',
    fetch: savedAgain('token_already_stored', (call) => {
      const info = authInfoOf({ call } as Outgoing);
      info.ttl = Number(info.ttl) - 1;
    }),
  },
  {
    id: 'taken-exchange-token-saved-again',
    title: 'An exchange token that is stored already is saved again',
    caughtBy: 'token-not-saved-for-two',
    fetch: savedAgain('exchange_token_already_stored', () => undefined),
  },
  onShape('challenge', 'taken-token-retried', 'token-not-saved-for-two'),
  onShape('carried-sign', 'taken-token-retried', 'token-not-saved-for-two'),
  withContext(
    'user-number-used-again',
    'Users are numbered, and the number of a deleted one goes to the next newcomer',
    'users-stable',
    (context) => {
      const { directory } = context.store;
      const { ensureUser } = directory;
      directory.ensureUser = (given) => {
        let number = 1;
        while (directory.identityOf(`u-${number}`)) number++;
        return ensureUser({ ...given, user: `u-${number}` });
      };
      return context;
    },
    { seenIn: ['tracim/tracim#4016', 'tvallotton/rocket_auth#53'] },
  ),
  withPipeline(
    'user-for-each-spelling',
    'Each spelling of a phone is a user of its own',
    'users-stable',
    () => async (call, pass) => {
      const reply = await pass(call);
      const info = infoOf(reply);
      const phone = String(call.params.phone);
      if (!info || /^7\d+$/.test(phone)) return reply;
      const user = `${info.user}-${phone.length}`;
      return { ...reply, result: { ...reply.result, authInfo: { ...info, user } } };
    },
    { seenIn: ['logto-io/logto#7382', 'openwisp/openwisp-users#377'] },
  ),
  withPipeline(
    'phone-locked-for-good',
    'Wrong codes from anybody lock the phone itself',
    'phone-not-locked-for-good',
    lockAfterFailures(() => Number.POSITIVE_INFINITY),
    { seenIn: ['josuebrunel/ezauth#196', 'psecio/gatekeeper#55'] },
  ),
  withPipeline(
    'lock-renewed-by-each-try',
    'Each wrong code during the lock starts the time of the lock anew',
    'lock-not-prolonged',
    lockAfterFailures(() => 200_000),
    { seenIn: ['VilnaCRM-Org/user-service#476'] },
  ),
];

/** Locks a phone after five wrong codes; each further one restarts the time of the lock. */
function lockAfterFailures(lockMs: () => number) {
  return (context: Context) => {
    const failures = new Map<string, { count: number; at: number }>();
    return async (call: Call, pass: (call: Call) => Promise<Reply>): Promise<Reply> => {
      if (call.method !== 'auth.confirm_otp') return pass(call);
      const phone = String(call.params.phone);
      const now = context.clock.now();
      const before = failures.get(phone);
      const known = before && now < before.at + lockMs() ? before : { count: 0, at: now };
      if (known.count >= 5) {
        failures.set(phone, { count: known.count + 1, at: now });
        return { jsonrpc: '2.0', id: call.id, error: { ...new RpcError('otp_exhausted').toObject() } };
      }
      const reply = await pass(call);
      if (reply.result) failures.delete(phone);
      else failures.set(phone, { count: (failures.get(phone)?.count ?? 0) + 1, at: now });
      return reply;
    };
  };
}

/** Repeats a save that the EHR server refused for this reason, changed by `change`. */
function savedAgain(reason: string, change: (call: Outgoing['call']) => void): NonNullable<Defect['fetch']> {
  return (send) => async (input, init) => {
    const response = await send(input, init);
    const body = await jsonOf(response.clone()).catch(() => undefined);
    const said = (body?.error as { data?: { reason?: string } } | undefined)?.data?.reason;
    if (said !== reason) return response;
    const call = JSON.parse(String(init?.body)) as Outgoing['call'];
    change(call);
    return send(input, { ...init, body: JSON.stringify(call) });
  };
}
