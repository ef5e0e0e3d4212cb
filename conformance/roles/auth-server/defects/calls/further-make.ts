/** Defects observed in another real server. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/digest.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { SAVE } from './outgoing.ts';
import { intercept, withPipeline } from './varied.ts';

export const furtherMakeDefects: readonly Defect[] = [
  {
    id: 'password-decomposed',
    title: 'The internal password is digested in another Unicode form',
    caughtBy: 'exchange-token-digest',
    variation: () => ({ digest: (password, secret) => digest(password.normalize('NFD'), secret) }),
  },
  {
    id: 'sign-sanitised',
    title: 'The user_sign is reduced to letters and digits',
    caughtBy: 'user-sign-digest',
    variation: () => ({
      digest: (password, secret, method) =>
        digest(password, method === SAVE ? secret.replace(/[^A-Za-z0-9]/g, '') : secret),
    }),
  },
  {
    id: 'exchange-tokens-derived',
    title: 'An exchange token follows from the session and the second',
    caughtBy: 'exchange-token-new-each-time',
    variation: () => {
      const asking = new AsyncLocalStorage<string>();
      return {
        context: (context) => ({
          ...context,
          random: (length) => {
            const session = asking.getStore();
            if (session === undefined || length !== 32) return context.random(length);
            return createHash('sha256')
              .update(`${session} ${Math.floor(context.clock.now() / 1_000)}`)
              .digest();
          },
        }),
        pipeline: (pipeline) =>
          intercept(pipeline, (call, pass) =>
            call.method === 'auth.exchange_token' ? asking.run(call.cred?.token ?? '', () => pass(call)) : pass(call),
          ),
      };
    },
  },
  {
    id: 'two-ehr-calls-at-a-time',
    title: 'Two hanging calls to the EHR server hold up the calls for everybody',
    caughtBy: 'others-go-on-while-one-hangs',
    fetch: (send) => {
      const lines: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
      let count = 0;
      return (input, init) => {
        const line = count++ % lines.length;
        const own = (lines[line] as Promise<unknown>).then(() =>
          send(input, { ...init, signal: AbortSignal.timeout(1_400) }),
        );
        lines[line] = own.catch(() => undefined);
        return own;
      };
    },
  },
  onShape('carried-sign', 'two-ehr-calls-at-a-time', 'others-go-on-while-one-hangs'),
  withPipeline(
    'longer-answer-for-known',
    'Requests for known phones are answered with a longer text',
    'known-and-unknown-alike',
    (context) => async (call, pass) => {
      const isKnown = context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) }) !== undefined;
      const reply = await pass(call);
      if (call.method !== 'auth.request_otp' || !reply.result) return reply;
      return {
        ...reply,
        result: {
          ...reply.result,
          trace: context
            .random(isKnown ? 24 : 16)
            .join('')
            .slice(0, isKnown ? 30 : 20),
        },
      };
    },
  ),
  onShape('challenge', 'challenge-longer-for-known', 'known-and-unknown-alike'),
  onShape('challenge', 'password-decomposed', 'exchange-token-digest'),
  onShape('challenge', 'unlisted-told-at-start', 'known-and-unknown-alike'),
  onShape('challenge', 'cookie-for-any-origin', 'foreign-origin-not-allowed-cookies'),
  onShape('carried-sign', 'sign-sanitised', 'user-sign-digest'),
  onShape('carried-sign', 'exchange-tokens-derived', 'exchange-token-new-each-time'),
];
