/** Defects in a second link, a second exchange token, and in what outlives the end of a session. */
import type { Context } from '#mock-auth-server/context.ts';
import { type Call, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const answer = ({ jsonrpc, id }: Call): Reply => ({ jsonrpc, id, result: {} });

const refusal = ({ jsonrpc, id }: Call): Reply => ({
  jsonrpc,
  id,
  error: { code: -34_000, message: 'Linked already', data: { reason: 'patient_already_matched' } },
});

function forget({ store: { directory } }: Context, user: string): void {
  directory.replaceUserSign(user, directory.entryOf(user)?.userSign ?? null, null);
}

/** Answers a report of a user whose signature is on record in another way. */
const secondReport = (id: string, title: string, reply: (call: Call) => Reply): Defect =>
  withPipeline(id, title, 'links-again-in-session', ({ store }) => async (call, pass) => {
    const sign = call.cred && store.directory.entryOf(call.cred.user)?.userSign;
    return call.method === 'auth.report_link' && sign ? reply(call) : pass(call);
  });

/** Forgets signatures after a call of this method that succeeded. */
const forgetsAfter = (
  id: string,
  title: string,
  caughtBy: string,
  { method, whose }: { method: string; whose: (caller: string, linked: ReadonlySet<string>) => Iterable<string> },
): Defect =>
  withPipeline(id, title, caughtBy, (context) => {
    const linked = new Set<string>();
    return async (call, pass) => {
      const reply = await pass(call);
      if (call.method === 'auth.report_link' && reply.result && call.cred) linked.add(call.cred.user);
      if (call.method === method && reply.result && call.cred)
        for (const user of whose(call.cred.user, linked)) forget(context, user);
      return reply;
    };
  });

export const linkedAnewDefects: readonly Defect[] = [
  secondReport('second-report-not-sent', 'A report of a user whose signature is on record changes nothing', answer),
  secondReport('second-report-refused', 'A report of a user whose signature is on record is refused', refusal),
  withContext(
    'second-report-with-first-sign',
    'A later report is saved with the signature of the first one',
    'links-again-in-session',
    (context) => {
      const { saveAuthInfo } = context.ehr;
      const own = (user: string, sign: string) => context.store.directory.entryOf(user)?.userSign ?? sign;
      return {
        ...context,
        ehr: { ...context.ehr, saveAuthInfo: (info, sign) => saveAuthInfo(info, own(info.user, sign)) },
      };
    },
  ),
  withContext(
    'first-sign-kept',
    'The signature of a later report does not replace the one on record',
    'newest-signature-kept',
    (context) => {
      const { directory } = context.store;
      const { keepUserSign } = directory;
      directory.keepUserSign = (user, sign) => keepUserSign(user, directory.entryOf(user)?.userSign ?? sign);
      return context;
    },
  ),
  withPipeline(
    'exchange-token-once',
    'A session is given one exchange token and no other',
    'exchange-token-asked-again',
    () => {
      const given = new Set<string>();
      return async (call, pass) => {
        if (call.method !== 'auth.exchange_token' || !call.cred) return pass(call);
        if (given.has(call.cred.token)) return refusal(call);
        const reply = await pass(call);
        if (reply.result) given.add(call.cred.token);
        return reply;
      };
    },
  ),
  withPipeline(
    'no-exchange-token-when-linked',
    'A user whose signature is on record is given no exchange token',
    'exchange-token-for-linked-user',
    ({ store }) =>
      async (call, pass) => {
        const sign = call.cred && store.directory.entryOf(call.cred.user)?.userSign;
        return call.method === 'auth.exchange_token' && sign ? refusal(call) : pass(call);
      },
  ),
  forgetsAfter('logout-forgets-sign', 'A logout makes the signature of the user forgotten', 'link-kept-over-logout', {
    method: 'auth.logout',
    whose: (caller) => [caller],
  }),
  forgetsAfter(
    'deletion-forgets-signs',
    'A deletion makes the signatures of all users forgotten',
    'link-kept-over-others-deletion',
    { method: 'auth.delete_user', whose: (_, linked) => linked },
  ),
  withPipeline(
    'expiry-forgets-sign',
    'A session that has run out makes the signature of its user forgotten',
    'link-kept-over-expiry',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      if (reply.error?.data.reason === 'session_expired' && call.cred) forget(context, call.cred.user);
      return reply;
    },
  ),
  onShape('challenge', 'second-report-not-sent', 'links-again-in-session'),
  onShape('challenge', 'exchange-token-once', 'exchange-token-asked-again'),
  onShape('challenge', 'logout-forgets-sign', 'link-kept-over-logout'),
];
