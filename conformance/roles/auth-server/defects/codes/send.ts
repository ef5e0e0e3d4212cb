/** Defects in how many messages a phone can be made to receive. */

import type { Context } from '#mock-auth-server/context.ts';
import { readAttribute } from '#mock-auth-server/otp/attribute.ts';
import { callIn, withContext, withoutLimits, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const NO_LIMIT = { seenIn: ['shesha-io/shesha-framework#4773', 'onehashai/Cal-ID#1137'] };
const PER_SPELLING = { seenIn: ['18F/identity-idp#13087'] };

/** Issues codes to the `forgotten` phones as if nothing had been sent to them. */
function forgetful(context: Context, forgotten: Set<string>): Context {
  const { issue } = context.codes;
  return {
    ...context,
    codes: {
      ...context.codes,
      issue: (attribute) =>
        forgotten.delete(attribute.value) ? withoutLimits(context.store, () => issue(attribute)) : issue(attribute),
    },
  };
}

/** Restarts the pause and the cap of a phone after an event; `watch` reports the event. */
function resets(
  id: string,
  title: string,
  caughtBy: string,
  watch: (context: Context, forget: (phone: string) => void) => Context,
): Defect {
  return withContext(id, title, caughtBy, (context) => {
    const forgotten = new Set<string>();
    return forgetful(
      watch(context, (phone) => forgotten.add(phone)),
      forgotten,
    );
  });
}

export const sendDefects: readonly Defect[] = [
  {
    id: 'no-resend-pause',
    title: 'Codes may be requested at any time',
    env: { AUTH_OTP_RESEND_AFTER: '0' },
    caughtBy: 'pause-between-codes',
  },
  {
    id: 'no-message-cap',
    title: 'A phone is sent as many codes in a day as are requested',
    env: { AUTH_OTP_PER_DAY: '1000000' },
    caughtBy: 'messages-capped',
    ...NO_LIMIT,
  },
  resets(
    'pause-reset-by-sign-in',
    'A sign-in resets pause and cap of the phone',
    'pause-survives-sign-in',
    (context, forget) => ({
      ...context,
      codes: {
        ...context.codes,
        claim(attribute, code) {
          const claim = context.codes.claim(attribute, code);
          const consume = () => {
            claim.consume();
            forget(attribute.value);
          };
          return { ...claim, consume };
        },
      },
    }),
  ),
  resets(
    'pause-reset-by-deletion',
    'A deletion resets pause and cap of the phone',
    'pause-survives-deletion',
    (context, forget) => {
      const { store } = context;
      const { deleteUser } = store;
      store.deleteUser = (user) => {
        const identity = store.directory.identityOf(user);
        deleteUser(user);
        if (identity) forget(identity.value);
      };
      return context;
    },
  ),
  {
    id: 'pause-per-spelling',
    title: 'Each spelling of a phone has a pause and a cap of its own',
    caughtBy: 'pause-for-every-spelling',
    ...PER_SPELLING,
    variation: () => {
      const forgotten = new Set<string>();
      const seen = new Map<string, string>();
      return {
        context: (context) => forgetful(context, forgotten),
        pipeline: (pipeline) => (text, channel) => {
          const call = callIn(text);
          const phone = call?.method === 'auth.request_otp' ? call.params.phone : undefined;
          const key = typeof phone === 'string' ? readAttribute(phone)?.value : undefined;
          if (typeof phone === 'string' && key !== undefined) {
            if (seen.has(key) && seen.get(key) !== phone) forgotten.add(key);
            seen.set(key, phone);
          }
          return pipeline(text, channel);
        },
      };
    },
  },
  {
    ...withPipeline(
      'user-per-spelling',
      'Each spelling of a phone is a user of its own',
      'users-stable',
      () => async (call, pass) => {
        const reply = await pass(call);
        const info = reply.result?.authInfo as { user: string } | undefined;
        const phone = String(call.params.phone);
        if (call.method !== 'auth.confirm_otp' || !info || /^\d+$/.test(phone)) return reply;
        return { ...reply, result: { ...reply.result, authInfo: { ...info, user: `${info.user}-2` } } };
      },
    ),
    seenIn: ['logto-io/logto#7382', 'openwisp/openwisp-users#377'],
  },

  onShape('challenge', 'no-pause', 'pause-between-codes', NO_LIMIT),
  onShape('challenge', 'no-cap', 'messages-capped', NO_LIMIT),
  onShape('challenge', 'pause-reset-by-success', 'pause-survives-sign-in'),
  onShape('challenge', 'pause-reset-by-deletion', 'pause-survives-deletion'),

  onShape('carried-sign', 'no-pause', 'pause-between-codes', NO_LIMIT),
  onShape('carried-sign', 'no-cap', 'messages-capped', NO_LIMIT),
  onShape('carried-sign', 'pause-reset-by-success', 'pause-survives-sign-in'),
  onShape('carried-sign', 'pause-per-spelling', 'pause-for-every-spelling', PER_SPELLING),
];
