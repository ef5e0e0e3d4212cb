/**
 * Lists harmless variants with habits of their own: they repeat calls without an answer, do one thing at a
 * time, or keep one session for each user. Where a recommendation tells the habit, `told` names it.
 * A text `id: title` begins a variant; its change follows.
 */
import { membersOf } from '../../../../engine/defects/rpc-call.ts';
import { callIn, doneReply, saidIn } from '../calls/outgoing.ts';
import type { Send } from '../change.ts';
import { harmlessOf } from '../defect.ts';
import { ANY, before, CONFIRM, done, ends, sessionsOf } from '../operators.ts';

/** Recognizes the replies of the EHR server that a token is stored already. */
const STORED_ALREADY = /-3400[34]\b/;

/**
 * Repeats a call whose connection was lost, with the same tokens. When the EHR server says that they are
 * stored already, the first call was carried out, and the repeat is taken for success.
 */
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
]);
