/** Defects in what a sign-in proves, and in the result of a link. */
import { systemClock } from '#protocol/time/clock.ts';
import { acceptsCode, codeOf, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';

/** The delay (ms) of the gateway. */
const GATEWAY_DELAY_MS = 300;

export const signInDefects: readonly Defect[] = [
  acceptsCode(
    'any-code',
    'Any code is accepted',
    'wrong-code-refused',
    (context, { phone }) => codeOf(context, phone).length > 0,
  ),
  acceptsCode(
    'code-accepted-twice',
    'A used code is accepted again',
    'used-code-refused',
    (context, { phone, code }) => codeOf(context, phone)[0]?.code === code,
  ),
  acceptsCode(
    'code-not-bound-to-phone',
    'A code is accepted for any phone',
    'foreign-code-refused',
    (context, { code }) => context.outbox.list().messages.some((message) => message.code === code),
  ),
  acceptsCode(
    'master-code',
    'The code 000000 is accepted for every phone',
    'no-session-without-code',
    (_context, { code }) => code === '000000',
  ),
  acceptsCode(
    'old-codes-live-on',
    'A code sent before the newest one is still accepted',
    'superseded-code-refused',
    (context, { phone, code }) =>
      codeOf(context, phone)
        .slice(1)
        .some((message) => message.code === code),
  ),
  withContext('codes-never-expire', 'Codes never expire', 'expired-code-refused', (context) => ({
    ...context,
    codes: {
      ...context.codes,
      claim(attribute, code) {
        const sent = context.store.codes.find(attribute);
        if (sent) context.store.codes.put(attribute, sent, context.clock.now(), context.clock.now() + 60_000);
        return context.codes.claim(attribute, code);
      },
    },
  })),
  withContext('tries-not-limited', 'Wrong codes are not counted', 'tries-limited', (context) => {
    context.store.codes.countFailure = () => undefined;
    return context;
  }),
  withPipeline(
    'unknown-phones-told',
    'Requests for unknown phones are answered otherwise',
    'known-and-unknown-alike',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      const isNew =
        call.method === 'auth.request_otp' &&
        !context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) });
      return isNew && reply.result ? { ...reply, result: { ...reply.result, newUser: true } } : reply;
    },
  ),
  withPipeline(
    'wrong-code-tells-account',
    'A wrong code for a phone that nobody has signed in with is refused with a reason of its own',
    'wrong-code-refused-alike',
    ({ store }) =>
      async (call, pass) => {
        const reply = await pass(call);
        const isNew = !store.directory.userOf({ kind: 'phone', value: String(call.params.phone) });
        if (call.method !== 'auth.confirm_otp' || !reply.error || !isNew) return reply;
        return { ...reply, error: { ...reply.error, data: { ...reply.error.data, reason: 'no_account' } } };
      },
  ),
  withPipeline(
    'known-phones-answer-slower',
    'For known phones the SMS gateway is waited for, for unknown ones not',
    'known-and-unknown-alike',
    (context) => async (call, pass) => {
      const isKnown = context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) }) !== undefined;
      const reply = await pass(call);
      if (call.method === 'auth.request_otp' && isKnown)
        await new Promise<void>((resolve) => systemClock.after(GATEWAY_DELAY_MS, resolve));
      return reply;
    },
    { seenIn: ['better-auth/better-auth#5050', 'keycloak/keycloak#48888'] },
  ),

  withPipeline(
    'returning-user-not-saved',
    'A returning user is not saved at the EHR server',
    'returning-user-saved-directly',
    (context) => async (call, pass) => {
      const entry = context.store.directory.entryOf(
        context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) }) ?? '',
      );
      if (call.method === 'auth.confirm_otp' && entry?.userSign) {
        context.store.directory.replaceUserSign(
          context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) }) ?? '',
          entry.userSign,
          null,
        );
      }
      const { ehr_user_sign: _dropped, ...params } = call.params;
      return pass({ ...call, params });
    },
  ),
  withContext(
    'one-returning-user',
    'Only the first user who returns is saved at the EHR server',
    'second-returning-user-saved-directly',
    (context) => {
      let first: string | undefined;
      return {
        ...context,
        ehr: {
          ...context.ehr,
          async saveAuthInfo(info, sign) {
            first ??= info.user;
            return info.user === first ? context.ehr.saveAuthInfo(info, sign) : undefined;
          },
        },
      };
    },
  ),
  withContext('sign-on-record-unused', 'The user_sign on record is not used', 'sign-on-record-used', (context) => {
    const { entryOf } = context.store.directory;
    context.store.directory.entryOf = (user) => {
      const entry = entryOf(user);
      return entry && { ...entry, userSign: null };
    };
    return context;
  }),
  withContext(
    'other-token-saved',
    'The session saved at the EHR server has another token than the client',
    'returning-user-reads-record',
    (context) => ({
      ...context,
      ehr: {
        ...context.ehr,
        saveAuthInfo: (info, sign) => context.ehr.saveAuthInfo({ ...info, token: `${info.token.slice(1)}x` }, sign),
      },
    }),
  ),
  withContext('link-not-recorded', 'A reported link is not recorded at the EHR server', 'link-recorded', (context) => ({
    ...context,
    ehr: { ...context.ehr, saveAuthInfo: async () => undefined },
  })),
  withContext(
    'correspondence-ignored',
    'A missing correspondence entry is ignored',
    'missing-correspondence-told',
    (context) => {
      const { entryOf, keepUserSign } = context.store.directory;
      context.store.directory.entryOf = (user) => entryOf(user) ?? { internalId: 'int-none', userSign: null };
      context.store.directory.keepUserSign = (user, sign) => keepUserSign(user, sign) || true;
      return context;
    },
  ),
];
