/** Variants that differ from the reference and are just as right: none of them may change a verdict. */

import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { callIn } from '../calls/varied.ts';
import type { Harmless } from '../defect.ts';
import { responseOf } from '../sessions/own-connection.ts';
import { harmlessCalls } from './calls.ts';
import { harmlessLimits, refusal } from './limits.ts';
import { ATTEMPT_ID, harmlessOnShapes } from './shapes.ts';

/** The delay (ms) of each answer: slow, and well within any timeout. */
const ANSWER_DELAY_MS = 200;

export const harmless: readonly Harmless[] = [
  ...harmlessCalls,
  { id: 'short-session', title: 'Sessions live two hours', env: { AUTH_SESSION_TTL: '120' } },
  { id: 'long-session', title: 'Sessions live a year', env: { AUTH_SESSION_TTL: '525600' } },
  {
    id: 'short-resend-pause',
    title: 'Another code may be requested after twenty seconds',
    env: { AUTH_OTP_RESEND_AFTER: '20' },
  },
  { id: 'few-codes-a-day', title: 'A phone is sent ten codes in a day', env: { AUTH_OTP_PER_DAY: '10' } },
  {
    id: 'other-error-texts',
    title: 'Errors have other texts and more members',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body?.replace(
          /"message":"[^"]*"/,
          '"message":"Fehler","help":"https://help.example"',
        ),
      }),
    }),
  },
  {
    id: 'other-error-codes',
    title: 'Errors to the client have codes of their own',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body?.replace(/"code":-3[3-6](\d{3})/, '"code":-9$1'),
      }),
    }),
  },
  {
    id: 'tries-left-told',
    title: 'The refusal of a code says how many tries are left, and how many were used',
    variation: () => {
      let used = 0;
      return {
        pipeline: (pipeline) => async (text, channel) => {
          const reply = await pipeline(text, channel);
          if (callIn(text)?.method !== 'auth.confirm_otp') return reply;
          const told = `"data":{"used":${(used++ % 5) + 1},"left":${4 - (used % 5)},`;
          return { ...reply, body: reply.body?.replace('"data":{', told) };
        },
      };
    },
  },
  {
    id: 'attempt-in-refusals',
    title: 'The refusal of a code has the id of this attempt',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => {
        const reply = await pipeline(text, channel);
        if (callIn(text)?.method !== 'auth.confirm_otp') return reply;
        return { ...reply, body: reply.body?.replace('"data":{', `"data":{"attempt":"${ATTEMPT_ID}",`) };
      },
    }),
  },
  {
    id: 'more-in-replies',
    title: 'Replies to the client have members of their own',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body
          ?.replace('"result":{', '"result":{"server":"example",')
          .replace(',}', '}'),
      }),
    }),
  },
  {
    id: 'own-phone-told',
    title: 'A sign-in is answered with the phone that it confirmed',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => {
        const phone = JSON.stringify(callIn(text)?.params.phone ?? null);
        const { body } = await pipeline(text, channel);
        return { body: body?.replace('"authInfo":{', `"phone":${phone},"authInfo":{`) };
      },
    }),
  },
  {
    id: 'recorded-report-not-sent-again',
    title: 'A report that was recorded is answered without another call when it is repeated',
    variation: () => ({
      context: (context) => {
        const recorded = new Set<string>();
        const { saveAuthInfo } = context.ehr;
        return {
          ...context,
          ehr: {
            ...context.ehr,
            async saveAuthInfo(info, sign) {
              const key = JSON.stringify([info.token, sign]);
              if (recorded.has(key)) return undefined;
              const refusal = await saveAuthInfo(info, sign);
              if (!refusal) recorded.add(key);
              return refusal;
            },
          },
        };
      },
    }),
  },
  {
    id: 'sessions-in-turn',
    title: 'Requests of one session are carried out one after another',
    variation: () => ({ pipeline: inTurn(({ cred }) => cred?.token) }),
  },
  {
    id: 'one-try-at-a-time',
    title: 'While a code is being tried, another try for the same phone is refused and not counted',
    variation: () => ({
      pipeline: (pipeline, context) => {
        const busy = new Set<string>();
        return async (text, channel) => {
          const call = callIn(text);
          const phone = call?.params.phone;
          if (call?.method !== 'auth.confirm_otp' || typeof phone !== 'string') return pipeline(text, channel);
          if (busy.has(phone)) return { body: refusal(call, 'otp_wrong') };
          busy.add(phone);
          await new Promise<void>((resolve) => context.clock.after(5, resolve));
          try {
            return await pipeline(text, channel);
          } finally {
            busy.delete(phone);
          }
        };
      },
    }),
  },
  {
    id: 'longer-tokens',
    title: 'Tokens have 384 bits',
    variation: () => ({
      context: (context) => ({ ...context, random: (length) => context.random(length === 32 ? 48 : length) }),
    }),
  },
  {
    id: 'tokens-begin-with-time',
    title: 'Tokens begin with the time, as a ULID does, and have 80 bits that do not',
    variation: () => ({
      context: (context) => ({
        ...context,
        random: (length) =>
          length === 32
            ? Buffer.concat([
                Buffer.from(context.clock.now().toString(16).padStart(12, '0'), 'hex'),
                context.random(10),
              ])
            : context.random(length),
      }),
    }),
  },
  {
    id: 'slow-answers',
    title: 'Every answer takes 200 ms',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => {
        const answer = await pipeline(text, channel);
        await new Promise<void>((resolve) => systemClock.after(ANSWER_DELAY_MS, resolve));
        return answer;
      },
    }),
  },
  {
    id: 'pretty-answers',
    title: 'Answers are pretty-printed and end with a line end',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => {
        const { body } = await pipeline(text, channel);
        return { body: body === undefined ? body : `${JSON.stringify(JSON.parse(body), null, 2)}\n` };
      },
    }),
  },
  {
    id: 'batches-of-one',
    title: 'Every call is sent as a batch of one',
    fetch: (send) => async (input, init) => {
      const response = await send(input, { ...init, body: `[${String(init?.body)}]` });
      const text = await response.text();
      const single = /^\s*\[(?<reply>.*)\]\s*$/s.exec(text)?.groups?.reply ?? text;
      return responseOf(single, response.status);
    },
  },
  {
    id: 'retries-with-new-token',
    title: 'What the EHR server refused or did not answer is tried once more, with a new token',
    variation: () => ({
      pipeline:
        (pipeline, { clock }) =>
        async (text, channel) => {
          const begun = clock.now();
          const answer = await pipeline(text, channel);
          const isEhrTrouble = answer.body?.includes('"reason":"ehr_') ?? false;
          // Does not wait twice for an EHR server that does not answer.
          const again = isEhrTrouble && RETRIED.test(text) && clock.now() - begun < RETRY_WITHIN_MS;
          return again ? pipeline(text, channel) : answer;
        },
    }),
  },
  ...harmlessLimits,
  {
    id: 'mutual-tls',
    title: 'The EHR server is called over https with a client certificate',
    tls: 'checked',
  },
  ...harmlessOnShapes,
];

type SomeCall = { id: unknown; method: string; params?: { phone?: string }; cred?: { token: string } };

/** Calls that are retried, and the time (ms) after which they are not. */
const RETRIED = /"auth\.(?:exchange_token|confirm_otp)"/;
const RETRY_WITHIN_MS = 500;

/** Executes calls with the same key one after the other. */
function inTurn(keyOf: (call: SomeCall) => string | undefined): (pipeline: TextPipeline) => TextPipeline {
  const lines = new Map<string, Promise<unknown>>();
  return (pipeline) => (text, channel) => {
    const call = callIn(text);
    const key = call && keyOf(call as SomeCall);
    if (key === undefined) return pipeline(text, channel);
    const turn = (lines.get(key) ?? Promise.resolve()).then(() => pipeline(text, channel));
    lines.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  };
}
