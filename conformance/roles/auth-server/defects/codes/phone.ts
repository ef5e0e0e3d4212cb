/** Defects in which phone is confirmed or gets a code, in partly right codes, and in malformed requests. */
import type { Context } from '#mock-auth-server/context.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { acceptsCode, codeOf, freshCode, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const phoneAttribute = (phone: string) => ({ kind: 'phone' as const, value: phone });

/** Delivers a separate message with this code. */
function deliver({ store, outbox, clock }: Context, phone: string, code: string): void {
  store.messages.add(phoneAttribute(phone), `Your code is ${code}.`, code, clock.now());
  outbox.announce();
}

/** Long enough (ms) for requests that are sent at once to arrive. */
const ARRIVAL_WAIT_MS = 60;
const wait = () => new Promise<void>((resolve) => systemClock.after(ARRIVAL_WAIT_MS, resolve));

const newestCode = (context: Context, phone: unknown) => codeOf(context, phone)[0]?.code ?? 'none';

/** Identifies a phone by its last ten digits: the first such phone wins. */
function firstOfEnding() {
  const firsts = new Map<string, string>();
  return (phone: string) => {
    const key = phone.slice(-10);
    if (!firsts.has(key)) firsts.set(key, phone);
    return firsts.get(key) as string;
  };
}

export const phoneDefects: readonly Defect[] = [
  withPipeline(
    'phones-split',
    'A phone is split at what is no digit, and each part is sent the code',
    'code-to-one-phone',
    (context) => async (call, pass) => {
      const [phone, ...others] = String(call.params.phone).split(/[,;\n]/);
      if (call.method !== 'auth.request_otp' || others.length === 0) return pass(call);
      const reply = await pass({ ...call, params: { ...call.params, phone } });
      if (reply.result) for (const other of others) deliver(context, other, newestCode(context, phone));
      return reply;
    },
  ),
  {
    id: 'doubled-phones-sent-both',
    title: 'Of a phone that stands twice both are sent the code',
    caughtBy: 'code-to-one-phone',
    seenIn: ['CVE-2023-7028'],
    variation: () => ({
      pipeline: (pipeline, context) => async (text, channel) => {
        const phones = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
        const [first, last] = phones;
        const answer = await pipeline(text.replace(/"phone":"[^"]*",(?="phone":)/, ''), channel);
        if (text.includes('"auth.request_otp"') && phones.length === 2 && answer.body?.includes('"result"'))
          deliver(context, first as string, newestCode(context, last));
        return answer;
      },
    }),
  },
  acceptsCode(
    'code-for-known-phones',
    'A code that was sent to anybody confirms the phone of a known user',
    'code-confirms-own-phone',
    (context, { phone, code }) =>
      context.store.directory.userOf(phoneAttribute(String(phone))) !== undefined &&
      context.outbox.list().messages.some((message) => message.code === code),
  ),
  acceptsCode(
    'last-four-compared',
    'The last four digits of a code are compared',
    'whole-code-compared',
    (context, { phone, code }) =>
      typeof code === 'string' && code.length === 6 && code.slice(-4) === newestCode(context, phone).slice(-4),
  ),
  acceptsCode(
    'beginning-compared',
    'All digits but the last are compared',
    'whole-code-compared',
    (context, { phone, code }) =>
      typeof code === 'string' && code.length === 6 && code.slice(0, 5) === newestCode(context, phone).slice(0, 5),
  ),
  acceptsCode(
    'code-sought-in-text',
    'A text that has the code in it confirms',
    'code-alone-accepted',
    (context, { phone, code }) => typeof code === 'string' && code.includes(newestCode(context, phone)),
  ),
  acceptsCode(
    'used-code-emptied',
    'After a code was used an empty one confirms',
    'empty-code-after-use-refused',
    (context, { phone, code }) =>
      code === '' &&
      codeOf(context, phone).length > 0 &&
      context.store.codes.find(phoneAttribute(String(phone))) === undefined,
  ),
  acceptsCode(
    'sign-skips-code',
    'A sign-in with a signature needs no right code',
    'wrong-code-with-sign-refused',
    (context, { phone, ehr_user_sign: sign }) => typeof sign === 'string' && codeOf(context, phone).length > 0,
  ),
  withPipeline(
    'last-ten-digits',
    'Users are told apart by the last ten digits of their phones',
    'same-ending-other-user',
    (context) => {
      const firstOf = firstOfEnding();
      return async (call, pass) => {
        const phone = String(call.params.phone ?? '');
        const first = firstOf(phone);
        if (call.method !== 'auth.confirm_otp' || first === phone) return pass(call);
        if (newestCode(context, phone) !== call.params.code) return pass(call);
        return pass({ ...call, params: { ...call.params, phone: first, code: freshCode(context, first) } });
      };
    },
  ),
  withPipeline(
    'sent-by-last-ten-digits',
    'A code is sent to whoever has the last ten digits of the phone',
    'code-to-named-phone',
    (context) => {
      const firstOf = firstOfEnding();
      return async (call, pass) => {
        const phone = String(call.params.phone ?? '');
        const first = firstOf(phone);
        if (call.method !== 'auth.request_otp' || first === phone) return pass(call);
        const reply = await pass(call);
        if (reply.result) deliver(context, first, newestCode(context, phone));
        return reply;
      };
    },
  ),
  withPipeline(
    'message-to-last-asker',
    'Requests share the variable of the phone that a message goes to',
    'codes-to-own-phones-at-once',
    ({ store }) => {
      let last: string | undefined;
      const { add } = store.messages;
      Object.assign(store.messages, {
        add: (to: Parameters<typeof add>[0], ...more: [string, string, number]) =>
          add({ ...to, value: last ?? to.value }, ...more),
      });
      return async (call, pass) => {
        if (call.method !== 'auth.request_otp') return pass(call);
        last = String(call.params.phone).replace(/\D/g, '');
        await wait();
        return pass(call);
      };
    },
  ),
  withPipeline(
    'pause-read-early',
    'A second request passes the pause while the first one is under way',
    'pause-holds-at-once',
    (context) => {
      const busy = new Set<string>();
      return async (call, pass) => {
        const phone = String(call.params.phone ?? '');
        if (call.method !== 'auth.request_otp') return pass(call);
        if (busy.has(phone)) {
          deliver(context, phone, freshCode(context, phone));
          const { jsonrpc, id } = call;
          return { jsonrpc, id, result: { digits: 6, expiresIn: 300, resendAfter: 30 } };
        }
        busy.add(phone);
        const reply = await pass(call);
        await wait();
        busy.delete(phone);
        return reply;
      };
    },
  ),
  withPipeline(
    'trace-in-error',
    'A code that is no text is answered with a stack trace',
    'no-trace-told',
    () => async (call, pass) => {
      const reply = await pass(call);
      if (call.method !== 'auth.confirm_otp' || typeof call.params.code === 'string' || !reply.error) return reply;
      const data = { ...reply.error.data, stack: new TypeError('code.trim is not a function').stack };
      return { ...reply, error: { ...reply.error, data } };
    },
  ),

  onShape('challenge', 'every-phone-of-list-sent', 'code-to-one-phone'),
  onShape('carried-sign', 'phones-split-at-comma', 'code-to-one-phone'),
  onShape('challenge', 'phone-of-confirmation-wins', 'code-confirms-own-phone'),
  onShape('carried-sign', 'last-four-compared', 'whole-code-compared'),
  onShape('challenge', 'code-sought-in-text', 'code-alone-accepted'),
  onShape('challenge', 'used-code-emptied', 'empty-code-after-use-refused'),
  onShape('challenge', 'code-hash-in-challenge', 'code-not-shown'),
  onShape('carried-sign', 'sign-skips-code', 'wrong-code-with-sign-refused'),
  onShape('carried-sign', 'last-ten-digits', 'same-ending-other-user'),
  onShape('carried-sign', 'message-to-last-asker', 'codes-to-own-phones-at-once'),
  onShape('carried-sign', 'pause-read-early', 'pause-holds-at-once'),
  onShape('challenge', 'get-carried-out', 'nothing-done-by-get'),
  onShape('challenge', 'trace-told', 'no-trace-told'),
  onShape('carried-sign', 'broken-body-is-internal', 'malformed-refused'),
  onShape('carried-sign', 'half-character-is-internal', 'malformed-refused'),
];
