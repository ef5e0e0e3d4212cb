/** Defects in the values of codes, and in the sending of them. */
import { createHash } from 'node:crypto';
import {
  accepts,
  after,
  aMoment,
  around,
  before,
  type Change,
  CONFIRM,
  codesSent,
  defect,
  freshCode,
  isDone,
  type Mock,
  type MockTurn,
  REQUEST,
  refused,
  tells,
  tellsInRefusal,
  userOf,
  withParams,
  wraps,
  yes,
} from '../defect.ts';

/** How long (ms) a request is held, so that others that were sent at the same moment arrive meanwhile. */
const ARRIVAL_WAIT_MS = 60;

const newestCode = (mock: Mock, phone: unknown) => codesSent(mock, phone)[0] ?? 'none';

function deliver({ store, outbox, clock }: Mock, phone: string, code: string): void {
  store.messages.add({ kind: 'phone', value: phone }, `Your code is ${code}.`, code, clock.now());
  outbox.announce();
}

const ending = (phone: unknown) => String(phone).slice(-10);

const firstLike = ({ seen, params: { phone } }: MockTurn) => {
  const first = seen.calls
    .map((earlier) => earlier.params.phone)
    .find((named) => ending(named) === ending(phone));
  return String(first ?? phone);
};

const isKnown = (turn: MockTurn) => userOf(turn) !== undefined;

export const sendingDefects = [
  defect('pause-between-codes', 'no-resend-pause', {
    title: 'Codes may be requested at any time',
    env: { AUTH_OTP_RESEND_AFTER: '0' },
  }),
  defect('messages-capped', 'no-message-cap', {
    title: 'A phone is sent as many codes in a day as are requested',
    env: { AUTH_OTP_PER_DAY: '1000000' },
  }),
  defect('code-to-one-phone', 'phones-split', {
    title: 'A phone is split at what is no digit, and each part is sent the code',
    ...around(REQUEST, async ({ call, params, parts, next }) => {
      const [phone, ...others] = String(params.phone).split(/[,;\n]/);
      if (others.length === 0) return next();
      const reply = await next(withParams(call, { phone }));
      if (isDone(reply)) for (const other of others) deliver(parts, other, newestCode(parts, phone));
      return reply;
    }),
  }),
  defect('code-to-one-phone', 'doubled-phones-sent-both', {
    title: 'Of a phone that stands twice both are sent the code',
    pipeline: (pipeline, mock) => async (text, channel) => {
      const phones = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
      const [first, last] = phones;
      const answer = await pipeline(text.replace(/"phone":"[^"]*",(?="phone":)/, ''), channel);
      if (text.includes(`"${REQUEST}"`) && phones.length === 2 && answer.body?.includes('"result"'))
        deliver(mock, first as string, newestCode(mock, last));
      return answer;
    },
  }),
  defect('code-to-named-phone', 'sent-by-last-ten-digits', {
    title: 'A code is sent to whoever has the last ten digits of the phone',
    ...around(REQUEST, async (turn) => {
      const first = firstLike(turn);
      const reply = await turn.next();
      if (isDone(reply) && first !== turn.params.phone)
        deliver(turn.parts, first, newestCode(turn.parts, turn.params.phone));
      return reply;
    }),
  }),
  defect('code-to-named-phone', 'sent-to-earlier-phones-too', {
    title: 'A message goes to all phones that were sent one before as well',
    ...wraps('messages', 'add', (add, { seen }, to, ...message) => {
      const earlier = seen.notes<typeof to>('recipients');
      for (const [value, other] of earlier) if (value !== to.value) add(other, ...message);
      earlier.set(to.value, to);
      return add(to, ...message);
    }),
  }),
  defect('same-ending-other-user', 'last-ten-digits', {
    title: 'Users are told apart by the last ten digits of their phones',
    ...before(CONFIRM, (turn) => {
      const { parts, params, call } = turn;
      const first = firstLike(turn);
      if (first === params.phone || newestCode(parts, params.phone) !== params.code) return undefined;
      return withParams(call, { phone: first, code: freshCode(parts, first) });
    }),
  }),
  defect('codes-to-own-phones-at-once', 'message-to-last-asker', {
    title: 'Requests share the variable of the phone that a message goes to',
    ...wraps('messages', 'add', (add, { seen }, to, ...message) =>
      add({ ...to, value: seen.notes<string>('last asker').get('') ?? to.value }, ...message),
    ),
    ...before(REQUEST, async ({ seen, parts, params }) => {
      seen.notes<string>('last asker').set('', String(params.phone).replace(/\D/g, ''));
      await aMoment(parts, ARRIVAL_WAIT_MS);
    }),
  }),
  defect('known-and-unknown-alike', 'unknown-phones-told', {
    title: 'Requests for unknown phones are answered otherwise',
    ...tells(REQUEST, (turn) => (isKnown(turn) ? undefined : { newUser: true })),
  }),
  defect('known-and-unknown-alike', 'pause-for-known-phones', {
    title: 'A second request within the pause is refused for the phones of users alone',
    ...after(refused(REQUEST), (turn) => (isKnown(turn) ? undefined : { ...yes(), id: turn.reply.id })),
  }),
  defect('known-and-unknown-alike', 'known-phones-answer-slower', {
    title: 'For known phones the SMS gateway is waited for, for unknown ones not',
    ...around(REQUEST, async (turn) => {
      const isSlow = isKnown(turn);
      const reply = await turn.next();
      if (isSlow) await aMoment(turn.parts, GATEWAY_DELAY_MS);
      return reply;
    }),
  }),
];

/** How long (ms) the SMS gateway of this defect takes: a stranger can measure this over a network. */
const GATEWAY_DELAY_MS = 300;

const tellsCode = (told: (code: string) => object) =>
  tells(REQUEST, ({ parts, params }) => told(codesSent(parts, params.phone)[0] ?? ''));

/** Sends the codes of `next`. Each stands for a code of the right mock, so that all else stays right. */
const draws = (next: (phone: string, count: number) => string): Change => ({
  parts({ codes, seen }) {
    const { issue, claim } = codes;
    const sent = seen.notes<{ shown: string; real: string }>('sent');
    codes.issue = (attribute) => {
      const real = issue(attribute);
      const shown = next(attribute.value, seen.countUp('codes'));
      sent.set(attribute.value, { shown, real });
      return shown;
    };
    codes.claim = (attribute, code) => {
      const own = sent.get(attribute.value);
      return claim(attribute, own?.shown === code ? own.real : 'none');
    };
  },
});

const printed = (shown: (code: string) => string) =>
  wraps('messages', 'add', (add, _mock, to, text, code, at) => add(to, text, shown(code), at));

/** Accepts any value for which `isOdd` is true as a code, once a code was requested. */
const acceptsOdd = (isOdd: (code: unknown) => boolean) =>
  accepts(({ code, sent }) => isOdd(code) && sent.length > 0);

const dateOf = ({ clock }: Mock) =>
  new Date(clock.now()).toISOString().slice(2, 10).split('-').reverse().join('');

export const codeValueDefects = [
  defect('code-not-shown', 'code-in-reply', {
    title: 'The answer to the request of a code carries the code',
    ...tellsCode((code) => ({ debug: { code } })),
  }),
  defect('code-not-shown', 'code-hash-in-reference', {
    title: 'The answer carries a reference that is the SHA-256 of the code',
    ...tellsCode((code) => ({ reference: createHash('sha256').update(code).digest('base64url') })),
  }),
  defect('code-not-shown', 'refusal-names-the-code', {
    title: 'The refusal of a wrong code names the right one',
    ...tellsInRefusal(CONFIRM, ({ parts, params }) => ({ expected: codesSent(parts, params.phone)[0] })),
  }),
  defect('code-with-zero-confirms', 'code-printed-as-number', {
    title: 'The message shows the code as a number, without the zeros at its beginning',
    ...printed((code) => String(Number(code))),
  }),
  defect('code-with-zero-confirms', 'code-kept-as-number', {
    title: 'The code is kept as a number and compared as a text, so that its zeros are missing',
    ...before(CONFIRM, ({ call, params: { code } }) =>
      typeof code === 'string' && code.startsWith('0') ? withParams(call, { code: 'none' }) : undefined,
    ),
  }),
  defect('codes-differ', 'same-code-for-all', {
    title: 'Everybody is sent the same code',
    ...draws(() => '424242'),
  }),
  defect('codes-differ', 'few-codes', {
    title: 'Codes are drawn from a list of five',
    ...draws((_phone, count) => String(100_000 + (((count - 1) * 3) % 5) * 211_111)),
  }),
  defect('codes-unpredictable', 'codes-counting', {
    title: 'Each code is the one before plus one',
    ...draws((_phone, count) => String(481_200 + count)),
  }),
  defect('codes-unpredictable', 'code-from-phone', {
    title: 'A code is the end of the phone',
    ...draws((phone) => phone.slice(-6)),
  }),
  defect('code-length', 'short-codes', {
    title: 'Codes have three digits',
    ...draws((_phone, count) => String((count * count * 387) % 997).padStart(3, '0')),
  }),
  defect('empty-code-refused', 'empty-code', {
    title: 'An empty code is accepted',
    ...acceptsOdd((code) => code === ''),
  }),
  defect('empty-code-refused', 'null-code', {
    title: 'A code of null is accepted',
    ...acceptsOdd((code) => code === null),
  }),
  defect('code-must-be-text', 'list-as-code', {
    title: 'A list in place of the code is accepted',
    ...acceptsOdd(Array.isArray),
  }),
  defect('code-must-be-text', 'condition-as-code', {
    title: 'An object in place of the code becomes a condition that every code meets',
    ...acceptsOdd((code) => typeof code === 'object' && code !== null && '$ne' in code),
  }),
  defect('no-built-in-code', 'built-in-code', {
    title: 'The code 123456 is accepted from everybody who requested one',
    ...acceptsOdd((code) => code === '123456'),
  }),
  defect('no-built-in-code', 'date-as-code', {
    title: 'Day, month and year confirm every phone',
    ...accepts(({ code, turn }) => code === dateOf(turn.parts)),
  }),
  defect('no-trace-told', 'trace-in-error', {
    title: 'A code that is no text is answered with a stack trace',
    ...tellsInRefusal(
      ({ call, params }) => call.method === CONFIRM && typeof params.code !== 'string',
      () => ({ stack: new TypeError('code.trim is not a function').stack }),
    ),
  }),
];
