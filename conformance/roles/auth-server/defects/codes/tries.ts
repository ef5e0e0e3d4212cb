/**
 * Lists defects in how often a one-time code can be tried, and in what a stranger who tries codes can do to
 * the owner of a phone.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change to
 * the right mock follows, or `on(...)` names plain shapes that have it; then `owner/repo#number` of public
 * systems that had it.
 */
import { foundBy, on } from '../defect.ts';
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
  isDone,
  later,
  no,
  openedFor,
  phoneOf,
  REQUEST,
  reasonOf,
  refused,
  slowly,
  tellsInRefusal,
  userOf,
  withParams,
  wraps,
} from '../operators.ts';

/** How long (ms) some defects lag behind: a busy machine sends all guesses of a check meanwhile. */
const GUESS_ROUND_MS = 2_000;

/** The wrong codes after which the phone is locked: as many as the right mock allows for one code. */
const MAX_TRIES = 5;
/** The newer code requests, of any phone, after which the defect forgets the tries of a code. */
const MAX_NEWER = 6;

/** Locks a phone for `lockMs` after five wrong codes. Each further wrong code begins that time again. */
const locksFor = (lockMs: number) =>
  around(CONFIRM, async ({ seen, parts: { clock }, params: { phone }, next }) => {
    const failures = seen.notes<{ count: number; at: number }>('failures');
    const at = clock.now();
    const before = failures.get(phone);
    const count = before && at < before.at + lockMs ? before.count : 0;
    const reply = count >= MAX_TRIES ? no('otp_exhausted') : await next();
    if (isDone(reply)) failures.delete(phone);
    else failures.set(phone, { count: count + 1, at });
    return reply;
  });

/**
 * Lets the mock read the number of wrong tries of a code from `failures`, not from the row of the code.
 * @param name the notes of the ledger that `failures` is given as `kept`
 */
const countsTries = (
  name: string,
  failures: (kept: Map<unknown, number>, sent: { seq: number; failures: number }) => number,
) =>
  wraps(codeRowsIn, 'find', (find, { ledger }, attribute) => {
    const sent = find(attribute);
    return sent && { ...sent, failures: failures(ledger.notes<number>(name), sent) };
  });

export const triesDefects = foundBy({
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
    'terra-money/hive-graph#25',
    'VilnaCRM-Org/user-service#315',
    'OpenCTI-Platform/opencti#6898',
  ],
  'tries-limited-from-claimed-addresses': [
    'tries-by-claimed-address: Wrong codes are counted by the address that X-Forwarded-For claims',
    on('challenge'),
    'TravellersMeet/travellers#410',
    'Canopus-Labs/PrepPilot#1438',
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
    on('challenge', 'carried-sign'),
  ],
  'losers-refused': [
    'loser-is-internal: A code that another request uses at this moment is answered with an internal error',
    around(CONFIRM, async ({ seen, params, parts, next }) => {
      const busy = seen.notes('codes under confirmation');
      const key = `${params.phone} ${params.code}`;
      if (busy.has(key)) return no('internal_error');
      busy.set(key, true);
      await slowly(parts);
      return next().finally(() => busy.delete(key));
    }),
    on('challenge', 'carried-sign'),
  ],
  'used-code-stays-used': [
    'used-code-revived: A request for another code makes the used one good again',
    accepts(
      ({ text, sent, turn }) =>
        sent.indexOf(text) > 0 && turn.seen.done(CONFIRM).some(({ params }) => params.code === text),
    ),
    on('carried-sign'),
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
  'tries-kept-over-restart': [
    'tries-in-memory: A restart forgets how often a code was tried',
    {
      parts(mock) {
        countsTries('tries', (failures, { seq }) => failures.get(seq) ?? 0).parts?.(mock);
        mock.store.codes.countFailure = (seq) => void mock.ledger.count('tries', seq);
      },
    },
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
  'newest-code-survives-wrong-try': [
    'wrong-try-writes-old-code-back: A wrong try writes the row of the code back that it has read, over the code that was sent meanwhile',
    around([CONFIRM, REQUEST], async (turn) => {
      const { seen, parts, call, next } = turn;
      const { codes } = parts.store;
      const attribute = phoneOf(turn);
      const read = seen.notes<NonNullable<ReturnType<typeof codes.find>>>('codes read');
      if (call.method === CONFIRM) {
        const row = codes.find(attribute);
        const reply = await next();
        if (row && !isDone(reply)) {
          read.set(attribute.value, row);
          later(parts, GUESS_ROUND_MS, () => read.delete(attribute.value));
        }
        return reply;
      }
      await slowly(parts);
      const reply = await next();
      const row = read.get(attribute.value);
      if (row && isDone(reply)) codes.put(attribute, row, row.sentAt, row.expiresAt);
      return reply;
    }),
    'better-auth/better-auth#10443',
  ],
  'wrong-code-refused-alike': [
    'wrong-code-tells-account: A wrong code for a phone that nobody has signed in with is refused with a reason of its own',
    tellsInRefusal(CONFIRM, (turn) => (userOf(turn) === undefined ? { reason: 'no_account' } : undefined)),
  ],
  'phone-not-locked-for-good': [
    'phone-locked-for-good: Wrong codes from anybody lock the phone itself',
    locksFor(Number.POSITIVE_INFINITY),
    'josuebrunel/ezauth#196',
    'psecio/gatekeeper#55',
  ],
  'lock-not-prolonged': [
    'lock-renewed-by-each-try: Each wrong code during the lock starts the time of the lock again',
    locksFor(200_000),
    'VilnaCRM-Org/user-service#476',
  ],
  'code-request-ends-no-session': [
    'code-request-ends-sessions: A request for a code ends the sessions of that phone',
    ends(done(REQUEST), ({ seen, params }) => openedFor(seen, params.phone)),
  ],
  'wrong-code-ends-no-session': [
    'wrong-code-ends-sessions: A wrong code ends the sessions of that phone',
    ends(refused(CONFIRM), ({ seen, params }) => openedFor(seen, params.phone)),
  ],
  'server-survives': [
    'dies-at-wrong-code: A code that is not accepted ends the server',
    on('challenge'),
    'dies-at-empty-code: An empty code ends the server',
    on('carried-sign'),
  ],
  'malformed-refused': [
    'letters-are-internal: A text with letters beyond ASCII is answered with an internal error',
    instead([REQUEST, CONFIRM], ({ params }) =>
      /[^\0-\x7f]/.test(`${params.phone}${params.code}`) ? no('internal_error') : undefined,
    ),
    on('challenge', 'carried-sign'),
    'control-characters-are-internal: A text with control characters is answered with an internal error',
    instead([REQUEST, CONFIRM], ({ params }) =>
      /\p{Cc}/u.test(`${params.phone}${params.code}`) ? no('internal_error') : undefined,
    ),
    'broken-body-is-internal: A body that is not JSON is answered with HTTP 500',
    on('carried-sign'),
    'bytes-are-internal: A byte that is no UTF-8 is answered with an internal error',
    on('challenge', 'carried-sign'),
    'half-character-is-internal: Half a character in a text is answered with HTTP 500',
    on('carried-sign'),
  ],
});
