import { membersOf } from '../../../../engine/defects/rpc-call.ts';
import { asksForHealth } from '../calls/envelope.ts';
import { callIn, doneReply, saidIn } from '../calls/outgoing.ts';
import { type Harmless, harmlessOf, type Send } from '../defect.ts';
import {
  ANY,
  after,
  around,
  before,
  CONFIRM,
  done,
  EXCHANGE,
  ends,
  messagesIn,
  no,
  REPORT,
  reasonOf,
  refused,
  refuses,
  saves,
  sessionsOf,
  slowly,
  tells,
  tellsInRefusal,
  tokensOf,
  withParams,
  wraps,
  yes,
} from '../operators.ts';
import { harmlessCalls, responseOf } from './calls.ts';

const STORED_ALREADY = /-3400[34]\b/;

/** Repeats a lost call with the same tokens, and takes "stored already" for success. */
const repeatsLost: Send = (send) => async (input, init) => {
  try {
    return await send(input, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    const response = await send(input, init);
    return STORED_ALREADY.test(await saidIn(response)) ? doneReply(callIn(init).id) : response;
  }
};

/** What a server with one session a user cannot show, because the session of another device has ended. */
const ONE_DEVICE = { notPlayable: ['deletion-ends-all-sessions', 'wrong-code-ends-no-session'] };

/** The least that an adapter file may list: four phones. Each can be sent twenty codes a day. */
const FOUR_PHONES = { phones: ['79995550001', '79995550002', '79995550003', '79995550004'], perDay: 20 };

/** The check that guesses at the code of a phone, which can take part in nothing else meanwhile. */
const GUESSED_AT = 'tries-kept-beside-others';

const harmlessHabits = harmlessOf([
  'calls-named-in-log: It logs the method and the phone of each call, and when it came',
  before(ANY, ({ call, params, parts }) => {
    parts.print(`${parts.clock.now()} ${call.method} ${params.phone ?? ''}`);
    return undefined;
  }),
  'repeats-lost-calls: A call without an answer is repeated with the same tokens',
  { fetch: repeatsLost },
  'one-request-at-a-time: Requests are carried out one after another, those of all users',
  {
    pipeline(pipeline) {
      let last: Promise<unknown> = Promise.resolve();
      return (text, channel) => {
        const answer = last.then(() => pipeline(text, channel));
        last = answer.catch(() => undefined);
        return answer;
      };
    },
  },
  'one-session-a-user: The newest sign-in ends the older sessions of the user',
  ends(done(CONFIRM), ({ seen, result }) => {
    const own = membersOf(result.authInfo);
    return sessionsOf(seen, own.user).filter(({ token }) => token !== own.token);
  }),
  ONE_DEVICE,
  'refusals-are-internal: Whatever is refused to a client is answered with an internal error',
  { told: ['malformed-refused'] },
  after(refused(ANY), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
  'missing-entry-is-accepted: The report of a user without an entry is taken, and nothing is saved',
  { told: ['missing-correspondence-told'] },
  after(refused(REPORT, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
  'health-asked: After each call the EHR server is asked how it is, by a method of its own',
  asksForHealth,
  'long-signs-refused: A reported signature of more than 128 characters is refused',
  refuses(REPORT, ({ params }) => String(params.user_sign).length > 128, 'invalid_params'),
  'four-phones: Only four phones are known, and one of them is sent twenty codes in a day',
  {
    file: FOUR_PHONES,
    notPlayable: ['same-ending-other-user', 'code-to-named-phone', 'entry-of-own-phone', GUESSED_AT],
  },
  'ttl-unit-stated: It counts ttl in seconds, to both sides, as its adapter file says',
  { env: { AUTH_TTL_UNIT: 'seconds', AUTH_SESSION_TTL: '86400' }, file: { ttlUnit: 'seconds' } },
]);

const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';
/** A call that took longer (ms) is not tried again, so that nobody waits twice for the EHR server. */
const RETRY_WITHIN_MS = 500;
/** How long (ms) the try of a code keeps other tries for the same phone out. */
const TRY_MS = 5;

/** Draws tokens that begin with the time (six bytes, ms), followed by ten random bytes. */
const timeFirst = tokensOf(({ clock }, _count, random) =>
  Buffer.concat([Buffer.from(clock.now().toString(16).padStart(12, '0'), 'hex'), random(10)]),
);

export const harmless: readonly Harmless[] = [
  ...harmlessCalls,
  ...harmlessOf([
    'tries-left-told: The refusal of a code says how many tries are left, and how many were used',
    tellsInRefusal(CONFIRM, ({ seen, params }) => {
      const used = ((seen.count('refusals', params.phone) - 1) % 5) + 1;
      return { used, left: 5 - used };
    }),
    'attempt-in-refusals: The refusal of a code has the id of this attempt',
    tellsInRefusal(CONFIRM, () => ({ attempt: ATTEMPT_ID })),
    'own-phone-told: A sign-in is answered with the phone that it confirmed',
    tells(CONFIRM, ({ params }) => ({ phone: params.phone })),
    'recorded-report-not-sent-again: A report that was recorded is answered without another call when it is repeated',
    saves((save, { ledger }) => async (info, sign) => {
      const recorded = ledger.notes('recorded');
      const key = JSON.stringify([info.token, sign]);
      if (recorded.has(key)) return undefined;
      const refusal = await save(info, sign);
      if (!refusal) recorded.set(key, true);
      return refusal;
    }),
    'one-try-at-a-time: While a code is being tried, another try for the same phone is refused and not counted',
    around(CONFIRM, async ({ seen, parts, params, next }) => {
      const busy = seen.notes('phones being tried');
      if (typeof params.phone !== 'string') return next();
      if (busy.has(params.phone)) return no('otp_wrong');
      busy.set(params.phone, true);
      await slowly(parts, TRY_MS);
      return next().finally(() => busy.delete(params.phone));
    }),
    'codes-of-any-length: A code is a number, and neither printed nor confirmed with zeros at its beginning',
    wraps(messagesIn, 'add', (add, _mock, to, text, code, at) => add(to, text, String(Number(code)), at)),
    before(CONFIRM, ({ call, params: { code } }) =>
      typeof code === 'string' && /^\d{1,5}$/.test(code)
        ? withParams(call, { code: code.padStart(6, '0') })
        : undefined,
    ),
    'tokens-begin-with-time: Tokens begin with the time, as a ULID does, and have 80 bits that do not',
    timeFirst,
    'batches-of-one: Every call is sent as a batch of one',
    {
      fetch: (send) => async (input, init) => {
        const response = await send(input, { ...init, body: `[${String(init?.body)}]` });
        const text = await response.text();
        const single = /^\s*\[(?<reply>.*)\]\s*$/s.exec(text)?.groups?.reply ?? text;
        return responseOf(single, response.status);
      },
    },
    'retries-with-new-token: What the EHR server refused or did not answer is tried once more, with a new token',
    around([EXCHANGE, CONFIRM], async ({ parts: { clock }, next }) => {
      const begun = clock.now();
      const reply = await next();
      const isTrouble = String(reasonOf(reply)).startsWith('ehr_');
      return isTrouble && clock.now() - begun < RETRY_WITHIN_MS ? next() : reply;
    }),
  ]),
  ...harmlessHabits,
  ...harmlessOf([
    'mutual-tls: The EHR server is called over https with a client certificate',
    { tls: 'checked' },
  ]),
];
