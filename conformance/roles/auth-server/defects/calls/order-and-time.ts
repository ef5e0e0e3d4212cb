/** Defects in the order of calls, in lifetimes, in guessing, in missing limits, and in dishonest requests. */

import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { authInfoOf, changed } from './outgoing.ts';
import { callIn, codeOf, type Reply, withContext, withPipeline } from './varied.ts';
import { SELF_TEST_PASSWORD } from './wire.ts';

const MINUTE_MS = 60_000;
const NEVER_ENDS = ['kellnr/kellnr#1245', 'hapijs/yar#92'];
const PLAIN = ['joyent/conch-api#248', 'mdn/content#11077'];
const REDIRECTS = ['apify/crawlee#4134', 'googleapis/google-http-java-client#2181'];

const neverEnds = (id: string, title: string, caughtBy: string) =>
  withContext(
    id,
    title,
    caughtBy,
    (context) => {
      const { find } = context.store.sessions;
      context.store.sessions.find = (tokenHash) => {
        const session = find(tokenHash);
        return session && { ...session, expiresAt: Math.max(session.expiresAt, context.clock.now() + MINUTE_MS) };
      };
      return context;
    },
    { seenIn: NEVER_ENDS },
  );

export const orderAndTimeDefects: readonly Defect[] = [
  {
    id: 'digest-over-session-token',
    title: 'The digest of an exchange token is over the session token',
    caughtBy: 'exchange-token-digest',
    fetch: changed(({ call }) => {
      const { authInfo, exchangeToken } = call.params as { authInfo: { token: string }; exchangeToken?: string };
      if (exchangeToken !== undefined) call.cred.token = digest(SELF_TEST_PASSWORD, authInfo.token);
    }),
  },
  {
    id: 'reads-before-exchange-token',
    title: 'The record is asked for before an exchange token is saved',
    caughtBy: 'only-internal-methods',
    fetch: (send) => async (input, init) => {
      const { params } = JSON.parse(String(init?.body)) as { params: { authInfo: { user: string; token: string } } };
      const { user, token } = params.authInfo;
      const call = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: { user, token } };
      const headers = { 'content-type': 'application/json' };
      await send(input, { method: 'POST', headers, body: JSON.stringify(call) }).catch(() => undefined);
      return send(input, init);
    },
  },

  neverEnds('session-never-ends', 'A session is good after its ttl', 'expired-session-refused'),
  neverEnds('expired-session-reported', 'A link can be reported after the ttl', 'expired-session-not-saved'),
  withContext('session-ends-early', 'A session lives half of its ttl', 'session-lives-as-told', (context) => {
    const { find } = context.store.sessions;
    context.store.sessions.find = (tokenHash) => {
      const session = find(tokenHash);
      const half = (context.config.sessionTtl * MINUTE_MS) / 2;
      return session && context.clock.now() < session.expiresAt - half ? session : undefined;
    };
    return context;
  }),
  {
    id: 'ttl-in-seconds-everywhere',
    title: 'Client and EHR server are told the ttl in seconds',
    caughtBy: 'session-lives-as-told',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => {
        const reply = JSON.parse((await pipeline(text, channel)).body ?? '{}') as Reply;
        const info = reply.result?.authInfo as { ttl: number } | undefined;
        if (info) info.ttl *= 60;
        return { body: JSON.stringify(reply) };
      },
    }),
    fetch: changed((out) => {
      authInfoOf(out).ttl = Number(authInfoOf(out).ttl) * 60;
    }),
  },
  {
    id: 'ttl-in-hours',
    title: 'The EHR server is sent the ttl in hours',
    caughtBy: 'ttl-sent-as-told',
    fetch: changed((out) => {
      authInfoOf(out).ttl = Math.ceil(Number(authInfoOf(out).ttl) / 60);
    }),
  },
  withPipeline(
    'exchange-token-recycled',
    'After ten minutes a session is given its first exchange token again',
    'exchange-token-not-given-again',
    ({ clock }) => {
      const firsts = new Map<string, { reply: Reply; at: number }>();
      return async (call, pass) => {
        const key = call.cred?.token ?? '';
        const first = firsts.get(key);
        if (call.method !== 'auth.exchange_token') return pass(call);
        if (first && clock.now() > first.at + 10 * MINUTE_MS) return { ...first.reply, id: call.id };
        const reply = await pass(call);
        if (reply.result && !first) firsts.set(key, { reply, at: clock.now() });
        return reply;
      };
    },
  ),

  {
    id: 'password-trimmed',
    title: 'The internal password loses the blanks at its ends',
    caughtBy: 'exchange-token-digest',
    seenIn: ['Infisical/infisical#895', 'saltstack/salt#37290', 'wader/postfix-relay#299'],
    variation: () => ({ digest: (password, secret) => digest(password.trim(), secret) }),
  },
  {
    id: 'body-cut-short',
    title: 'Content-Length counts characters, so a letter beyond ASCII cuts the body',
    caughtBy: 'call-is-post-json',
    seenIn: ['delighted/delighted-node#7', 'optimizely/javascript-sdk#1155'],
    layer: 'bytes',
    fetch: changed(({ init, call }) => {
      const text = JSON.stringify(call);
      init.body = Buffer.from(text).subarray(0, text.length);
    }),
  },
  withPipeline(
    'token-of-client-kept',
    'A token that the client sends with the sign-in becomes the token of the session',
    'session-token-drawn-by-server',
    () => {
      const real = new Map<string, string>();
      return async (call, pass) => {
        const own = call.method === 'auth.confirm_otp' ? call.cred?.token : undefined;
        const token = real.get(call.cred?.token ?? '');
        const { cred, ...bare } = call;
        const reply = await pass(own ? bare : token && cred ? { ...call, cred: { ...cred, token } } : call);
        const info = reply.result?.authInfo as { token: string } | undefined;
        if (own && info) {
          real.set(own, info.token);
          info.token = own;
        }
        return reply;
      };
    },
    { seenIn: ['yiisoft/user#124', 'sdelements/lets-chat#159'] },
  ),
  {
    id: 'doubled-phone-confused',
    title: 'Of two phones in a confirmation the first is compared and the last signed in',
    caughtBy: 'doubled-members-not-confused',
    seenIn: ['AdaCore/gnatcoll-core#3', 'serde-rs/json#762'],
    variation: () => ({
      pipeline: (pipeline, context) => async (text, channel) => {
        const [first, last] = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
        const given = callIn(text);
        const isConfused = last !== undefined && codeOf(context, first)[0]?.code === given?.params.code;
        if (given?.method !== 'auth.confirm_otp' || !isConfused) return pipeline(text, channel);
        const { method, params, ...call } = given;
        context.store.codes.remove({ kind: 'phone', value: last });
        const send = (name: string, given: object): ReturnType<TextPipeline> =>
          pipeline(JSON.stringify({ ...call, method: name, params: given }), channel);
        await send('auth.request_otp', { phone: last });
        return send(method, { ...params, code: codeOf(context, last)[0]?.code });
      },
    }),
  },

  onShape('challenge', 'token-before-stored', 'exchange-token-ehr-first'),
  onShape('challenge', 'token-never-stored', 'exchange-token-known-to-ehr'),
  onShape('challenge', 'reads-before-save', 'only-internal-methods'),
  onShape('challenge', 'digest-over-session-token', 'exchange-token-digest'),
  onShape('carried-sign', 'token-before-stored', 'exchange-token-ehr-first'),
  onShape('carried-sign', 'token-never-stored', 'exchange-token-known-to-ehr'),
  onShape('carried-sign', 'reads-before-save', 'only-internal-methods'),
  onShape('carried-sign', 'digest-over-session-token', 'user-sign-digest'),

  ...(['challenge', 'carried-sign'] as const).flatMap((shape) => [
    onShape(shape, 'session-never-ends', 'expired-session-refused', { seenIn: NEVER_ENDS }),
    onShape(shape, 'ttl-in-seconds', 'ttl-as-given'),
    onShape(shape, 'ttl-told-shorter', 'ttl-as-given'),
    onShape(shape, 'exchange-token-repeated', 'exchange-token-new-each-time'),
    onShape(shape, 'tries-not-limited', 'tries-limited'),
    onShape(shape, 'exchange-token-hangs', 'exchange-told-hang'),
    onShape(shape, 'follows-redirects', 'no-redirect-followed', { seenIn: REDIRECTS }),
    onShape(shape, 'text-plain-accepted', 'text-plain-refused', { seenIn: PLAIN }),
    onShape(shape, 'password-in-header', 'secrets-not-in-clear'),
    onShape(shape, 'tokens-counting', 'session-token-entropy'),
  ]),
  onShape('carried-sign', 'exchange-tokens-short', 'exchange-token-entropy'),
  onShape('challenge', 'tries-by-claimed-address', 'tries-limited-from-claimed-addresses', {
    seenIn: ['TravellersMeet/travellers#410', 'Canopus-Labs/PrepPilot#1438'],
  }),
  onShape('challenge', 'any-origin-allowed', 'foreign-origin-not-allowed', {
    seenIn: ['the-open-agent/openagent#2131', 'rs/cors#197'],
  }),
  onShape('challenge', 'replies-may-be-cached', 'tokens-not-cached', {
    seenIn: ['better-auth/better-auth#10217', 'supabase/ssr#172'],
  }),
];
