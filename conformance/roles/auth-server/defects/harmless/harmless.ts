/**
 * Lists harmless variants: authorization servers that differ from the right mock and are just as right. The
 * self-test plays all checks against each of them, and no check may report a fault.
 * A text `id: title` begins a variant; its change to the right mock follows.
 */
import type { Change } from '../change.ts';
import { type Harmless, harmlessOf } from '../defect.ts';
import {
  ANY,
  around,
  before,
  CONFIRM,
  EXCHANGE,
  type MockTurn,
  messagesIn,
  no,
  reasonOf,
  saves,
  slowly,
  tells,
  tellsInRefusal,
  tokensOf,
  withParams,
  wraps,
} from '../operators.ts';
import { harmlessAsAllowed } from './as-allowed.ts';
import { harmlessCalls } from './calls.ts';
import { harmlessHabits } from './habits.ts';
import { harmlessLimits } from './limits.ts';
import { responseOf } from './own-connection.ts';

/** The id of a sign-in attempt: as long as a session token, but no session. */
const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';
/** The delay (ms) of each answer of a slow server: well within any timeout. */
const ANSWER_DELAY_MS = 200;
/** A call that took longer (ms) is not tried again, so that nobody waits twice for the EHR server. */
const RETRY_WITHIN_MS = 500;
/** How long (ms) the try of a code keeps other tries for the same phone out. */
const TRY_MS = 5;

/** Replaces the body of each answer to a client by what `body` makes of its text. */
const writes = (body: (text: string) => string): Change => ({
  pipeline: (pipeline) => async (text, channel) => {
    const answer = await pipeline(text, channel);
    return { body: answer.body === undefined ? undefined : body(answer.body) };
  },
});

/** Executes calls with the same key one after the other. Calls without a key do not wait. */
const inTurn = (keyOf: (turn: MockTurn) => unknown) =>
  around(
    (turn) => keyOf(turn) !== undefined,
    (turn) => {
      const queues = turn.seen.notes<Promise<unknown>>('lines of calls');
      const executed = (queues.get(keyOf(turn)) ?? Promise.resolve()).then(() => turn.next());
      queues.set(
        keyOf(turn),
        executed.catch(() => undefined),
      );
      return executed;
    },
  );

/** Draws tokens that begin with the time (six bytes, ms), followed by ten random bytes. */
const timeFirst = tokensOf(({ clock }, _count, random) =>
  Buffer.concat([Buffer.from(clock.now().toString(16).padStart(12, '0'), 'hex'), random(10)]),
);

/** All harmless variants, of the mock and of the plain shapes. */
export const harmless: readonly Harmless[] = [
  ...harmlessCalls,
  ...harmlessOf([
    'short-session: Sessions live two hours',
    { env: { AUTH_SESSION_TTL: '120' } },
    'long-session: Sessions live a year',
    { env: { AUTH_SESSION_TTL: '525600' } },
    'short-resend-pause: Another code may be requested after twenty seconds',
    { env: { AUTH_OTP_RESEND_AFTER: '20' } },
    'few-codes-a-day: A phone is sent ten codes in a day',
    { env: { AUTH_OTP_PER_DAY: '10' } },
    'other-error-texts: Errors have other texts and more members',
    writes((body) => body.replace(/"message":"[^"]*"/, '"message":"Fehler","help":"https://help.example"')),
    'other-error-codes: Errors to the client have codes of their own',
    writes((body) => body.replace(/"code":-3[3-6](\d{3})/, '"code":-9$1')),
    'tries-left-told: The refusal of a code says how many tries are left, and how many were used',
    tellsInRefusal(CONFIRM, ({ seen }) => {
      const used = ((seen.count('refusals') - 1) % 5) + 1;
      return { used, left: 5 - used };
    }),
    'attempt-in-refusals: The refusal of a code has the id of this attempt',
    tellsInRefusal(CONFIRM, () => ({ attempt: ATTEMPT_ID })),
    'more-in-replies: Replies to the client have members of their own',
    tells(ANY, () => ({ server: 'example' })),
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
    'sessions-in-turn: Requests of one session are carried out one after another',
    inTurn(({ cred }) => cred.token),
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
    'longer-tokens: Tokens have 384 bits',
    tokensOf((_mock, _count, random) => random(48)),
    'tokens-begin-with-time: Tokens begin with the time, as a ULID does, and have 80 bits that do not',
    timeFirst,
    'slow-answers: Every answer takes 200 ms',
    around(ANY, async ({ parts, next }) => {
      const reply = await next();
      await slowly(parts, ANSWER_DELAY_MS);
      return reply;
    }),
    'pretty-answers: Answers are pretty-printed and end with a line end',
    writes((body) => `${JSON.stringify(JSON.parse(body), null, 2)}\n`),
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
  ...harmlessLimits,
  ...harmlessHabits,
  ...harmlessAsAllowed,
  ...harmlessOf([
    'mutual-tls: The EHR server is called over https with a client certificate',
    { tls: 'checked' },
  ]),
];
