/** Defects in which codes are accepted, and in how often they can be tried. */
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { foundBy } from '../defect.ts';
import {
  accepts,
  addedSession,
  after,
  around,
  CONFIRM,
  codeRowsIn,
  codesIn,
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
  SLOW_PART_MS,
  tellsInRefusal,
  userOf,
  withParams,
  wraps,
} from '../operators.ts';

/** How long (ms) some defects lag behind: a busy machine sends all guesses of a check meanwhile. */
const GUESS_ROUND_MS = 2_000;
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

const sorted = (text: string) => [...text].sort().join('');

/** Adds to the refusal of a wrong code what `told` makes of the comparison with the right code, by digit. */
const tellsDigits = (told: (same: readonly boolean[]) => object) =>
  tellsInRefusal(CONFIRM, ({ parts, params }) => {
    const [right] = codesSent(parts, params.phone);
    return right === undefined
      ? undefined
      : told([...right].map((digit, place) => String(params.code)[place] === digit));
  });

const count = (same: readonly boolean[], value: boolean) => same.filter((digit) => digit === value).length;

export const acceptanceDefects = foundBy({
  'wrong-code-refused': [
    'any-code: Any code is accepted',
    accepts(({ sent }) => sent.length > 0),
    'session-in-refusal: The refusal of a wrong code carries a session of the user of that phone',
    tellsInRefusal(CONFIRM, (turn) => {
      const user = userOf(turn);
      return user === undefined ? undefined : { authInfo: addedSession(turn.parts, user) };
    }),
  ],
  'phone-confirmed': ['phone-alone: A phone alone opens a session, whatever the code', accepts(() => true)],
  'used-code-refused': [
    'code-accepted-twice: A used code is accepted again',
    accepts(({ code, sent }) => sent[0] === code),
  ],
  'foreign-code-refused': [
    'code-not-bound-to-phone: A code is accepted for any phone',
    accepts(({ text, turn }) => codesSent(turn.parts).includes(text)),
  ],
  'no-session-without-code': [
    'master-code: The code 000000 is accepted for every phone',
    accepts(({ code }) => code === '000000'),
  ],
  'superseded-code-refused': [
    'old-codes-live-on: A code sent before the newest one is still accepted',
    accepts(({ text, sent }) => sent.slice(1).includes(text)),
  ],
  'expired-code-refused': [
    'codes-never-expire: Codes never expire',
    wraps(codesIn, 'claim', (claim, { store, clock }, attribute, code) => {
      const sent = store.codes.find(attribute);
      // The code lives another minute whenever it is tried.
      if (sent) store.codes.put(attribute, sent, clock.now(), clock.now() + 60_000);
      return claim(attribute, code);
    }),
    'tries-prolong-code: Each try prolongs the life of a code',
    wraps(codeRowsIn, 'find', (find, { clock, ledger }, attribute) => {
      const sent = find(attribute);
      if (!sent) return undefined;
      const ends = ledger.notes<number>('ends of codes');
      const expiresAt = ends.get(sent.seq) ?? sent.expiresAt;
      if (clock.now() < expiresAt) ends.set(sent.seq, clock.now() + CODE_LIFETIME_MS);
      return { ...sent, expiresAt };
    }),
  ],
  'code-confirms-own-phone': [
    'code-for-known-phones: A code that was sent to anybody confirms the phone of a known user',
    accepts(({ text, turn }) => userOf(turn) !== undefined && codesSent(turn.parts).includes(text)),
  ],
  'whole-code-compared': [
    'last-four-compared: The last four digits of a code are compared',
    accepts(({ text, sent: [right = 'none'] }) => text.length === 6 && text.slice(-4) === right.slice(-4)),
    'digits-in-any-order: The digits of a code are compared without their order',
    accepts(({ text, sent: [right = '-'] }) => sorted(text) === sorted(right)),
  ],
  'code-alone-accepted': [
    'code-sought-in-text: A text that has the code in it confirms',
    accepts(({ text, sent: [right = 'none'] }) => text.includes(right)),
  ],
  'empty-code-after-use-refused': [
    'used-code-emptied: After a code was used an empty one confirms',
    accepts(
      ({ code, sent, turn }) =>
        code === '' && sent.length > 0 && turn.parts.store.codes.find(phoneOf(turn)) === undefined,
    ),
  ],
  'wrong-code-with-sign-refused': [
    'sign-skips-code: A sign-in with a signature needs no right code',
    accepts(({ sent, turn }) => typeof turn.params.ehr_user_sign === 'string' && sent.length > 0),
  ],
  'refusal-tells-no-digits': [
    'right-digits-counted: The refusal of a wrong code counts its right digits',
    tellsDigits((same) => ({ right: count(same, true) })),
    'right-digits-marked: The refusal of a wrong code marks each right digit',
    tellsDigits((same) => ({ same })),
  ],
  'code-works-once-at-once': [
    'code-used-up-last: A code is used up after the slow part, so equal confirmations all succeed',
    wraps(codesIn, 'claim', (claim, mock, attribute, code) => {
      const claimed = claim(attribute, code);
      claimed.release();
      return { consume: () => later(mock, SLOW_PART_MS, () => claimed.consume()), release: () => undefined };
    }),
  ],
});
