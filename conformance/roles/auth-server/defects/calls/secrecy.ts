/** Defects in whose session is saved and when, and in what clients are told. */

import type { Context } from '#mock-auth-server/context.ts';
import { randomToken } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { codeOf, lastSession, type Reply, withPipeline } from './varied.ts';
import { SELF_TEST_PASSWORD } from './wire.ts';

/** Saves the session of a linked phone once more, with a separate token. */
async function saveAhead({ store, ehr, random, config }: Context, phone: unknown, carried?: unknown): Promise<void> {
  const user = store.directory.userOf({ kind: 'phone', value: String(phone) });
  const sign = typeof carried === 'string' ? carried : store.directory.entryOf(user ?? '')?.userSign;
  if (user && sign) await ehr.saveAuthInfo({ user, token: randomToken(random), ttl: config.sessionTtl }, sign);
}

const UPSTREAM = ['unicodeveloper/globalthreatmap#36', 'littlebearapps/outlook-assistant#63'];

export const secrecyDefects: readonly Defect[] = [
  withPipeline(
    'saves-when-code-requested',
    'The session of a linked user is saved when the code is requested',
    'no-save-before-confirmation',
    (context) => async (call, pass) => {
      if (call.method === 'auth.request_otp') await saveAhead(context, call.params.phone);
      return pass(call);
    },
  ),
  withPipeline(
    'saves-before-comparing',
    'The session of a linked user is saved before the code is compared',
    'no-save-before-confirmation',
    (context) => async (call, pass) => {
      if (call.method === 'auth.confirm_otp') await saveAhead(context, call.params.phone, call.params.ehr_user_sign);
      return pass(call);
    },
  ),
  withPipeline(
    'sign-in-saves-two-sessions',
    'A sign-in saves another session after the one of the client',
    'saved-session-is-the-given-one',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      if (call.method === 'auth.confirm_otp' && reply.result)
        await saveAhead(context, call.params.phone, call.params.ehr_user_sign);
      return reply;
    },
  ),
  withPipeline(
    'reports-last-session',
    'A report saves the session of whoever signed in last',
    'saved-session-is-the-given-one',
    () => {
      const last = lastSession();
      return async (call, pass) => {
        const shared = call.method === 'auth.report_link' && last.get();
        const reply = await pass(shared ? { ...call, cred: shared } : call);
        last.seen(reply);
        return reply;
      };
    },
  ),
  withPipeline(
    'saves-with-exchange-token',
    'A request for an exchange token saves the session again',
    'no-save-in-other-steps',
    ({ store, ehr, config }) =>
      async (call, pass) => {
        const sign = call.cred && store.directory.entryOf(call.cred.user)?.userSign;
        if (call.method === 'auth.exchange_token' && call.cred && sign)
          await ehr.saveAuthInfo({ ...call.cred, ttl: config.sessionTtl }, sign).catch(() => undefined);
        return pass(call);
      },
  ),

  withPipeline(
    'password-in-errors',
    'Errors carry the settings with the internal password',
    'internal-secrets-not-to-client',
    ({ config }) =>
      async (call, pass) => {
        const reply = await pass(call);
        if (reply.error) Object.assign(reply.error.data, { settings: config });
        return reply;
      },
  ),
  withPipeline(
    'digest-told',
    'The exchange token comes with the digest of its save',
    'internal-secrets-not-to-client',
    () => async (call, pass) => {
      const reply = await pass(call);
      const token = reply.result?.exchangeToken;
      if (token) Object.assign(reply.result ?? {}, { check: digest(SELF_TEST_PASSWORD, String(token)) });
      return reply;
    },
  ),
  withPipeline(
    'sign-of-last-link-told',
    'A sign-in is answered with the signature that was reported last',
    'others-secrets-not-to-client',
    () => {
      let last: unknown;
      return async (call, pass) => {
        const reply = await pass(call);
        if (call.method === 'auth.report_link') last = call.params.user_sign;
        if (call.method === 'auth.confirm_otp' && reply.result) Object.assign(reply.result, { user_sign: last });
        return reply;
      };
    },
  ),
  withPipeline(
    'refusal-names-the-code',
    'The refusal of a wrong code names the right one',
    'code-not-shown',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      if (call.method === 'auth.confirm_otp' && reply.error)
        Object.assign(reply.error.data, { expected: codeOf(context, call.params.phone)[0]?.code });
      return reply;
    },
  ),
  {
    id: 'ehr-error-told',
    title: 'The client is told what the EHR server said',
    caughtBy: 'ehr-error-not-passed-on',
    seenIn: UPSTREAM,
    layer: 'watches',
    ...(() => {
      let said = '';
      const tell = async (reply: Promise<Reply>) => {
        const { error, ...rest } = await reply;
        return error ? { ...rest, error: { ...error, message: `${error.message} ${said}` } } : rest;
      };
      return {
        variation: () => ({
          pipeline: (pipeline) => async (text, channel) => {
            const body = (await pipeline(text, channel)).body ?? '{}';
            return { body: JSON.stringify(await tell(Promise.resolve(JSON.parse(body) as Reply))) };
          },
        }),
        fetch: (send) => async (input, init) => {
          const response = await send(input, init);
          said = await response
            .clone()
            .text()
            .catch(() => '');
          return response;
        },
      } satisfies Pick<Defect, 'variation' | 'fetch'>;
    })(),
  },

  onShape('challenge', 'bearer-told-as-token', 'saved-session-is-the-given-one'),
  onShape('challenge', 'save-before-confirmation', 'no-save-before-confirmation'),
  onShape('challenge', 'save-with-exchange-token', 'no-save-in-other-steps'),
  onShape('challenge', 'auth-info-of-last-session', 'exchange-token-bound-to-asker'),
  onShape('carried-sign', 'save-before-confirmation', 'no-save-before-confirmation'),
  onShape('carried-sign', 'other-token-saved', 'saved-session-is-the-given-one'),
  onShape('carried-sign', 'auth-info-of-last-session', 'exchange-token-bound-to-asker'),

  onShape('challenge', 'code-in-refusal', 'code-not-shown'),
  onShape('challenge', 'password-in-refusal', 'internal-secrets-not-to-client'),
  onShape('challenge', 'digest-in-reply', 'internal-secrets-not-to-client'),
  onShape('challenge', 'accounts-in-reply', 'others-secrets-not-to-client'),
  onShape('challenge', 'ehr-error-passed-on', 'ehr-error-not-passed-on', { seenIn: UPSTREAM }),
  onShape('challenge', 'unknown-phones-told', 'known-and-unknown-alike', {
    seenIn: ['glific/glific#5325', 'supabase/auth#1547'],
  }),
  onShape('carried-sign', 'code-in-error', 'code-not-shown'),
  onShape('carried-sign', 'password-in-error', 'internal-secrets-not-to-client'),
  onShape('carried-sign', 'digest-in-reply', 'internal-secrets-not-to-client'),
  onShape('carried-sign', 'last-sign-in-reply', 'others-secrets-not-to-client'),
  onShape('carried-sign', 'ehr-error-passed-on', 'ehr-error-not-passed-on', { seenIn: UPSTREAM }),
];
