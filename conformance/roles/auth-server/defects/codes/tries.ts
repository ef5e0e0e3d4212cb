/** Defects in how often a code can be tried, and in what strangers can do to the owner of a phone. */
import { foundBy } from '../defect.ts';
import {
  accepts,
  after,
  around,
  CONFIRM,
  codeRowsIn,
  codesSent,
  done,
  ends,
  freshCode,
  instead,
  later,
  no,
  openedFor,
  phoneOf,
  REQUEST,
  reasonOf,
  refused,
  tellsInRefusal,
  userOf,
  withParams,
  wraps,
} from '../operators.ts';

/** How long (ms) some defects lag behind: a busy machine sends all guesses of a check meanwhile. */
const GUESS_ROUND_MS = 2_000;
/** The newer code requests, of any phone, after which the defect forgets the tries of a code. */
const MAX_NEWER = 6;

/** Lets the mock read the number of wrong tries of a code from `failures`. */
const countsTries = (
  name: string,
  failures: (kept: Map<unknown, number>, sent: { seq: number; failures: number }) => number,
) =>
  wraps(codeRowsIn, 'find', (find, { ledger }, attribute) => {
    const sent = find(attribute);
    return sent && { ...sent, failures: failures(ledger.notes<number>(name), sent) };
  });

export const triesDefects = foundBy({
  'tries-limited-from-claimed-addresses': [
    'tries-by-claimed-address: Wrong codes are counted by the address that X-Forwarded-For claims',
    {
      http:
        (listener, { ledger }) =>
        (request, response) => {
          const claimed = ledger.notes('claimed addresses');
          const address = request.headers['x-forwarded-for'];
          if (address !== undefined) {
            claimed.set(address, true);
            response.once('close', () => claimed.delete(address));
          }
          listener(request, response);
        },
    },
    around(CONFIRM, async ({ parts, params, call, next, seen }) => {
      const isClaimed = seen.notes('claimed addresses').size > 0;
      const reply = await next();
      const isRight = codesSent(parts, params.phone)[0] === params.code;
      if (!isClaimed || !isRight || reasonOf(reply) !== 'otp_exhausted') return reply;
      return next(withParams(call, { code: freshCode(parts, String(params.phone)) }));
    }),
  ],
  'tries-limited': [
    'tries-not-limited: Wrong codes are not counted',
    wraps(codeRowsIn, 'countFailure', () => undefined),
  ],
  'tries-limited-at-once': [
    'tries-counted-late: Tries are counted a while later',
    wraps(codeRowsIn, 'countFailure', (count, mock, seq) => later(mock, GUESS_ROUND_MS, () => count(seq))),
  ],
  'tries-limited-in-batch': [
    'batch-counts-as-one-try: A batch of guesses counts as one try',
    {
      pipeline:
        (pipeline, { store: { codes }, ledger }) =>
        async (text, channel) => {
          if (!text.startsWith('[')) return pipeline(text, channel);
          const { countFailure } = codes;
          const batch = ledger.count('batches');
          codes.countFailure = (seq) => {
            if (ledger.count('tries of batches', batch) === 1) countFailure(seq);
          };
          try {
            return await pipeline(text, channel);
          } finally {
            codes.countFailure = countFailure;
          }
        },
    },
  ],
  'tries-limited-in-every-spelling': [
    'tries-by-spelling: Wrong codes for a phone in another spelling are not counted',
    around(CONFIRM, async ({ parts: { store }, params, next }) => {
      const { codes } = store;
      const { countFailure } = codes;
      if (!/\D/.test(String(params.phone))) return next();
      codes.countFailure = () => undefined;
      return next().finally(() => Object.assign(codes, { countFailure }));
    }),
  ],
  'used-code-stays-used': [
    'used-code-revived: A request for another code makes the used one good again',
    accepts(
      ({ text, sent, turn }) =>
        sent.indexOf(text) > 0 && turn.seen.done(CONFIRM).some(({ params }) => params.code === text),
    ),
  ],
  'tries-survive-refused-request': [
    'refused-request-resets-tries: A request for another code that is refused begins the count of tries again',
    countsTries('forgiven tries', (forgiven, { seq, failures }) => failures - (forgiven.get(seq) ?? 0)),
    after(refused(REQUEST), (turn) => {
      const sent = turn.parts.store.codes.find(phoneOf(turn));
      const forgiven = turn.seen.notes<number>('forgiven tries');
      if (sent) forgiven.set(sent.seq, sent.failures + (forgiven.get(sent.seq) ?? 0));
      return undefined;
    }),
  ],
  'tries-kept-beside-others': [
    'tries-evicted: Tries of a code are forgotten once a few newer codes were sent',
    around(CONFIRM, async (turn) => {
      const { parts, params, call, next, seen } = turn;
      const reply = await next();
      const isRight = codesSent(parts, params.phone)[0] === params.code;
      const sent = seen.done(REQUEST);
      const newer = sent.length - 1 - sent.findLastIndex((request) => request.params.phone === params.phone);
      if (!isRight || reasonOf(reply) !== 'otp_exhausted' || newer < MAX_NEWER) return reply;
      return next(withParams(call, { code: freshCode(parts, String(params.phone)) }));
    }),
  ],
  'wrong-code-refused-alike': [
    'wrong-code-tells-account: A wrong code for a phone that nobody has signed in with is refused with a reason of its own',
    tellsInRefusal(CONFIRM, (turn) => (userOf(turn) === undefined ? { reason: 'no_account' } : undefined)),
  ],
  'code-request-ends-no-session': [
    'code-request-ends-sessions: A request for a code ends the sessions of that phone',
    ends(done(REQUEST), ({ seen, params }) => openedFor(seen, params.phone)),
  ],
  'wrong-code-ends-no-session': [
    'wrong-code-ends-sessions: A wrong code ends the sessions of that phone',
    ends(refused(CONFIRM), ({ seen, params }) => openedFor(seen, params.phone)),
  ],
  'malformed-refused': [
    'control-characters-are-internal: A text with control characters is answered with an internal error',
    instead([REQUEST, CONFIRM], ({ params }) =>
      /\p{Cc}/u.test(`${params.phone}${params.code}`) ? no('internal_error') : undefined,
    ),
  ],
});
