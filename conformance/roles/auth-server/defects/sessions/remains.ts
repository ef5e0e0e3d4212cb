/** Defects in the remains of an ended session and of a removed correspondence entry. */
import type { Context } from '#mock-auth-server/context.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

/** The same server, which sends another ttl with its exchange tokens. */
function sendingTtl(context: Context, change: (ttl: number) => number): Context {
  const { saveExchangeToken } = context.ehr;
  return {
    ...context,
    ehr: {
      ...context.ehr,
      saveExchangeToken: (token, info) => saveExchangeToken(token, { ...info, ttl: change(info.ttl) }),
    },
  };
}

export const remainsDefects: readonly Defect[] = [
  withContext(
    'ttl-rounded-down',
    'The EHR server is sent a ttl of 0 in the last minute of a session',
    'ttl-positive-to-the-end',
    (context) => sendingTtl(context, (ttl) => ttl - 1),
  ),
  withContext(
    'ttl-never-less',
    'The EHR server is sent the whole ttl to the end of a session',
    'ttl-counts-down',
    (context) => sendingTtl(context, () => context.config.sessionTtl),
  ),
  withContext(
    'correspondence-cached',
    'An entry of the correspondence table is read once and kept in memory',
    'removed-correspondence-told',
    (context) => {
      const { directory } = context.store;
      const { entryOf, keepUserSign } = directory;
      const cache = new Map<string, NonNullable<ReturnType<typeof entryOf>>>();
      directory.entryOf = (user) => {
        const entry = entryOf(user) ?? cache.get(user);
        if (entry) cache.set(user, entry);
        return entry;
      };
      directory.keepUserSign = (user, sign) => keepUserSign(user, sign) || cache.has(user);
      return context;
    },
  ),
  withPipeline(
    'correspondence-unchecked-at-sign-in',
    'A sign-in with a signature looks at no correspondence table',
    'correspondence-checked-at-sign-in',
    ({ store: { directory } }) => {
      const { entryOf } = directory;
      let signIns = 0;
      directory.entryOf = (user) => entryOf(user) ?? (signIns > 0 ? { internalId: 'none', userSign: null } : undefined);
      return async (call, pass) => {
        if (call.method !== 'auth.confirm_otp' || !call.params.ehr_user_sign) return pass(call);
        signIns++;
        return pass(call).finally(() => signIns--);
      };
    },
  ),
  onShape('challenge', 'entry-unchecked-at-sign-in', 'correspondence-checked-at-sign-in'),
  onShape('challenge', 'ttl-rounded-down', 'ttl-positive-to-the-end'),
  onShape('challenge', 'ttl-never-less', 'ttl-counts-down'),
  onShape('challenge', 'correspondence-looked-up-once', 'removed-correspondence-told'),
];
