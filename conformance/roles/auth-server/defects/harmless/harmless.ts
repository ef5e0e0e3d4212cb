/** Harmless variants: servers that differ from the right mock and are just as right. */

import { type Harmless, harmlessOf } from '../defect.ts';
import {
  around,
  before,
  CONFIRM,
  EXCHANGE,
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
import { harmlessCalls } from './calls.ts';
import { harmlessHabits } from './habits.ts';
import { responseOf } from './own-connection.ts';

/** The id of a sign-in attempt: as long as a session token, but no session. */
const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';
/** A call that took longer (ms) is not tried again, so that nobody waits twice for the EHR server. */
const RETRY_WITHIN_MS = 500;
/** How long (ms) the try of a code keeps other tries for the same phone out. */
const TRY_MS = 5;

/** Draws tokens that begin with the time (six bytes, ms), followed by ten random bytes. */
const timeFirst = tokensOf(({ clock }, _count, random) =>
  Buffer.concat([Buffer.from(clock.now().toString(16).padStart(12, '0'), 'hex'), random(10)]),
);

/** All harmless variants, of the mock and of the plain shapes. */
export const harmless: readonly Harmless[] = [
  ...harmlessCalls,
  ...harmlessOf([
    'tries-left-told: The refusal of a code says how many tries are left, and how many were used',
    tellsInRefusal(CONFIRM, ({ seen }) => {
      const used = ((seen.count('refusals') - 1) % 5) + 1;
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
