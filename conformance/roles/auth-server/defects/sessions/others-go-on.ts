/** Defects in whose session is opened or ended, and in what is told before a code is confirmed. */
import { type Call, codeOf, type Reply, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';

type Info = { user: string; token: string; ttl: number };

/** Ends every session that was given out when `method` succeeds. */
const endsEverybody = (id: string, title: string, method: string): Defect =>
  withPipeline(id, title, 'endings-leave-others', () => {
    const given = new Set<string>();
    const ended = new Set<string>();
    return async (call, pass) => {
      const isEnded = call.cred !== undefined && ended.has(call.cred.token);
      const reply = await pass(isEnded && call.cred ? { ...call, cred: { ...call.cred, token: 'ended' } } : call);
      const info = reply.result?.authInfo as Info | undefined;
      if (info) given.add(info.token);
      if (call.method === method && reply.result) for (const token of given) ended.add(token);
      return reply;
    };
  });

/** Adds what the person has to the answer to the request of a code. */
const toldAtRequest = (id: string, title: string, what: (info: Info, sign: unknown) => object): Defect =>
  withPipeline(id, title, 'request-tells-nothing', () => {
    const phones = new Map<unknown, { info: Info; sign?: unknown }>();
    return async (call, pass) => {
      const reply = await pass(call);
      const info = reply.result?.authInfo as Info | undefined;
      if (info) phones.set(call.params.phone, { ...phones.get(call.params.phone), info });
      if (call.method === 'auth.report_link')
        for (const known of phones.values())
          if (known.info.token === call.cred?.token) known.sign = call.params.user_sign;
      const known = phones.get(call.params.phone);
      if (call.method === 'auth.request_otp' && reply.result && known)
        Object.assign(reply.result, what(known.info, known.sign));
      return reply;
    };
  });

/** Adds to the refusal of a code how it compares with the right one, digit by digit. */
const comparesDigits = (id: string, title: string, told: (same: readonly boolean[]) => object): Defect =>
  withPipeline(id, title, 'refusal-tells-no-digits', (context) => async (call, pass) => {
    const right = codeOf(context, call.params.phone)[0]?.code;
    const reply = await pass(call);
    if (call.method === 'auth.confirm_otp' && reply.error && right !== undefined)
      Object.assign(
        reply.error.data,
        told([...right].map((digit, place) => String(call.params.code)[place] === digit)),
      );
    return reply;
  });

const count = (same: readonly boolean[], value: boolean) => same.filter((each) => each === value).length;

export const othersGoOnDefects: readonly Defect[] = [
  endsEverybody('deletion-ends-everybody', 'A deletion ends the sessions of all users', 'auth.delete_user'),
  endsEverybody('logout-ends-everybody', 'A logout ends the sessions of all users', 'auth.logout'),
  withPipeline(
    'logout-ends-newest',
    'A logout ends the newest session of the user',
    'newest-outlives-older-logout',
    () => {
      const given: Info[] = [];
      return async (call, pass) => {
        const newest = given.findLast(({ user }) => user === call.cred?.user);
        const reply = await pass(call.method === 'auth.logout' && newest ? { ...call, cred: newest } : call);
        const info = reply.result?.authInfo as Info | undefined;
        if (info) given.push(info);
        return reply;
      };
    },
  ),
  withPipeline(
    'unlinked-user-not-deleted',
    'A user who was never linked cannot be deleted',
    'unlinked-user-deleted',
    () => {
      const linked = new Set<string>();
      return async (call, pass) => {
        if (call.method === 'auth.delete_user' && call.cred && !linked.has(call.cred.user)) return broken(call);
        const reply = await pass(call);
        if (call.method === 'auth.report_link' && reply.result && call.cred) linked.add(call.cred.user);
        return reply;
      };
    },
  ),
  withPipeline(
    'signature-picks-user',
    'A sign-in with the signature of another user opens the session of that user',
    'foreign-signature-opens-own-session',
    () => {
      const owners = new Map<unknown, Info>();
      const sessions = new Map<string, Info>();
      return async (call, pass) => {
        const reply = await pass(call);
        const info = reply.result?.authInfo as Info | undefined;
        if (info) sessions.set(info.token, info);
        const own = call.cred && sessions.get(call.cred.token);
        if (call.method === 'auth.report_link' && reply.result && own) owners.set(call.params.user_sign, own);
        const owner = owners.get(call.params.ehr_user_sign);
        if (info && owner && owner.user !== info.user) Object.assign(reply.result ?? {}, { authInfo: owner });
        return reply;
      };
    },
  ),
  comparesDigits('right-digits-counted', 'The refusal of a wrong code counts its right digits', (same) => ({
    right: count(same, true),
  })),
  comparesDigits('wrong-digits-counted', 'The refusal of a wrong code counts its wrong digits in words', (same) => ({
    hint: `${count(same, false)} digits are wrong`,
  })),
  comparesDigits('right-digits-marked', 'The refusal of a wrong code marks each right digit', (same) => ({ same })),
  toldAtRequest(
    'session-told-at-request',
    'The answer to the request of a code has a session of that phone',
    (info) => ({
      session: info.token,
    }),
  ),
  toldAtRequest(
    'sign-told-at-request',
    'The answer to the request of a code has the user_sign of that phone',
    (_, sign) => ({
      profile: { sign },
    }),
  ),
];

function broken({ jsonrpc, id }: Call): Reply {
  return { jsonrpc, id, error: { code: -32603, message: 'Internal error', data: { reason: 'internal_error' } } };
}
