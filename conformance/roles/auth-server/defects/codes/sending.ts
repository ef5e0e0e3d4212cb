/** Defects in the sending of codes: to which phone, how often, and what the answer tells. */

import type { Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  around,
  before,
  CONFIRM,
  codesSent,
  deliver,
  freshCode,
  isDone,
  type MockTurn,
  messagesIn,
  REQUEST,
  slowly,
  tells,
  userOf,
  withParams,
  wraps,
} from '../operators.ts';

/** How long (ms) a request is held, so that others that were sent at the same moment arrive meanwhile. */
const ARRIVAL_WAIT_MS = 60;

const newestCode = (mock: Mock, phone: unknown) => codesSent(mock, phone)[0] ?? 'none';

/** The last ten digits of a phone: all but the country code. */
const ending = (phone: unknown) => String(phone).slice(-10);

const firstLike = ({ seen, params: { phone } }: MockTurn) => {
  const first = seen.calls
    .map((earlier) => earlier.params.phone)
    .find((named) => ending(named) === ending(phone));
  return String(first ?? phone);
};

const isKnown = (turn: MockTurn) => userOf(turn) !== undefined;

export const sendingDefects = foundBy({
  'pause-between-codes': [
    'no-resend-pause: Codes may be requested at any time',
    { env: { AUTH_OTP_RESEND_AFTER: '0' } },
  ],
  'messages-capped': [
    'no-message-cap: A phone is sent as many codes in a day as are requested',
    { env: { AUTH_OTP_PER_DAY: '1000000' } },
  ],
  'code-to-one-phone': [
    'phones-split: A phone is split at what is no digit, and each part is sent the code',
    around(REQUEST, async ({ call, params, parts, next }) => {
      const [phone, ...others] = String(params.phone).split(/[,;\n]/);
      if (others.length === 0) return next();
      const reply = await next(withParams(call, { phone }));
      if (isDone(reply)) for (const other of others) deliver(parts, other, newestCode(parts, phone));
      return reply;
    }),
    'doubled-phones-sent-both: Of a phone that stands twice both are sent the code',
    {
      pipeline: (pipeline, mock) => async (text, channel) => {
        const phones = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
        const [first, last] = phones;
        const answer = await pipeline(text.replace(/"phone":"[^"]*",(?="phone":)/, ''), channel);
        if (text.includes(`"${REQUEST}"`) && phones.length === 2 && answer.body?.includes('"result"'))
          deliver(mock, first as string, newestCode(mock, last));
        return answer;
      },
    },
  ],
  'code-to-named-phone': [
    'sent-by-last-ten-digits: A code is sent to whoever has the last ten digits of the phone',
    around(REQUEST, async (turn) => {
      const first = firstLike(turn);
      const reply = await turn.next();
      if (isDone(reply) && first !== turn.params.phone)
        deliver(turn.parts, first, newestCode(turn.parts, turn.params.phone));
      return reply;
    }),
  ],
  'same-ending-other-user': [
    'last-ten-digits: Users are told apart by the last ten digits of their phones',
    before(CONFIRM, (turn) => {
      const { parts, params, call } = turn;
      const first = firstLike(turn);
      if (first === params.phone || newestCode(parts, params.phone) !== params.code) return undefined;
      return withParams(call, { phone: first, code: freshCode(parts, first) });
    }),
  ],
  'codes-to-own-phones-at-once': [
    'message-to-last-asker: Requests share the variable of the phone that a message goes to',
    wraps(messagesIn, 'add', (add, { ledger }, to, ...message) =>
      add({ ...to, value: ledger.notes<string>('last asker').get('') ?? to.value }, ...message),
    ),
    before(REQUEST, async ({ seen, parts, params }) => {
      seen.notes<string>('last asker').set('', String(params.phone).replace(/\D/g, ''));
      await slowly(parts, ARRIVAL_WAIT_MS);
      return undefined;
    }),
  ],
  'known-and-unknown-alike': [
    'unknown-phones-told: Requests for unknown phones are answered otherwise',
    tells(REQUEST, (turn) => (isKnown(turn) ? undefined : { newUser: true })),
    'known-phones-answer-slower: For known phones the SMS gateway is waited for, for unknown ones not',
    around(REQUEST, async (turn) => {
      const isSlow = isKnown(turn);
      const reply = await turn.next();
      if (isSlow) await slowly(turn.parts, GATEWAY_DELAY_MS);
      return reply;
    }),
  ],
});

/** How long (ms) the SMS gateway of this defect takes: a stranger can measure this over a network. */
const GATEWAY_DELAY_MS = 300;
