/** Harmless variants with habits and limits of their own. `told`: recommendations that tell the habit. */
import { membersOf } from '../../../../engine/defects/rpc-call.ts';
import { asksForHealth } from '../calls/envelope.ts';
import { callIn, doneReply, saidIn } from '../calls/outgoing.ts';
import type { Send } from '../change.ts';
import { harmlessOf } from '../defect.ts';
import {
  ANY,
  after,
  before,
  CONFIRM,
  done,
  ends,
  no,
  REPORT,
  refused,
  refuses,
  sessionsOf,
  yes,
} from '../operators.ts';

/** Recognizes the replies of the EHR server that a token is stored already. */
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

export const harmlessHabits = harmlessOf([
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
