/** Defects in which codes are accepted, and in how often they can be tried. */
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import {
  accepts,
  after,
  around,
  CONFIRM,
  codesSent,
  defect,
  done,
  ends,
  instead,
  later,
  type Mock,
  type MockTurn,
  no,
  openedFor,
  phoneOf,
  REQUEST,
  reasonOf,
  refused,
  SLOW_PART_MS,
  tellsInRefusal,
  userOf,
  wraps,
} from '../defect.ts';
import { sendsSameCodeAgain } from '../harmless.ts';

/** How long (ms) some defects lag behind: a busy machine sends all guesses of a check meanwhile. */
const GUESS_ROUND_MS = 2_000;
/** After so many newer codes for other phones a defect forgets the tries of a code. */
const NEWER_CODES = 6;

/** Accepts a right code after too many wrong ones where `isForgotten` is true. */
const forgetsTries = (isForgotten: (turn: MockTurn) => boolean) =>
  accepts(
    ({ code, sent, reply, turn }) =>
      sent[0] === code && reasonOf(reply) === 'otp_exhausted' && isForgotten(turn),
  );

export const triesDefects = [
  defect('tries-limited-from-claimed-addresses', 'tries-by-claimed-address', {
    title: 'Wrong codes are counted by the address that X-Forwarded-For claims',
    http:
      (listener, { seen }) =>
      (request, response) => {
        const claimed = seen.notes('claimed addresses');
        const address = request.headers['x-forwarded-for'];
        if (address !== undefined) {
          claimed.set(address, true);
          response.once('close', () => claimed.delete(address));
        }
        listener(request, response);
      },
    ...forgetsTries(({ seen }) => seen.notes('claimed addresses').size > 0),
  }),
  defect('tries-limited', 'tries-not-limited', {
    title: 'Wrong codes are not counted',
    ...wraps('codeRows', 'countFailure', () => undefined),
  }),
  defect('tries-limited-at-once', 'tries-counted-late', {
    title: 'Tries are counted a while later',
    ...wraps('codeRows', 'countFailure', (count, mock, seq) => later(mock, GUESS_ROUND_MS, () => count(seq))),
  }),
  defect('tries-limited-in-batch', 'batch-counts-as-one-try', {
    title: 'A batch of guesses counts as one try',
    pipeline:
      (pipeline, { store: { codes }, seen }) =>
      async (text, channel) => {
        if (!text.startsWith('[')) return pipeline(text, channel);
        const { countFailure } = codes;
        const batch = seen.countUp('batches');
        codes.countFailure = (seq) => {
          if (seen.countUp('tries of batches', batch) === 1) countFailure(seq);
        };
        try {
          return await pipeline(text, channel);
        } finally {
          codes.countFailure = countFailure;
        }
      },
  }),
  defect('tries-limited-in-every-spelling', 'tries-by-spelling', {
    title: 'Wrong codes for a phone in another spelling are not counted',
    ...around(CONFIRM, async ({ parts: { store }, params, next }) => {
      const { codes } = store;
      const { countFailure } = codes;
      if (!/\D/.test(String(params.phone))) return next();
      codes.countFailure = () => undefined;
      return next().finally(() => Object.assign(codes, { countFailure }));
    }),
  }),
  defect('used-code-stays-used', 'used-code-revived', {
    title: 'A request for another code makes the used one good again',
    ...accepts(
      ({ text, sent, turn }) =>
        sent.indexOf(text) > 0 && turn.seen.done(CONFIRM).some(({ params }) => params.code === text),
    ),
  }),
  defect('tries-survive-refused-request', 'refused-request-resets-tries', {
    title: 'A request for another code that is refused begins the count of tries again',
    ...wraps('codeRows', 'find', (find, { seen }, attribute) => {
      const sent = find(attribute);
      const forgiven = seen.notes<number>('forgiven tries');
      return sent && { ...sent, failures: sent.failures - (forgiven.get(sent.seq) ?? 0) };
    }),
    ...after(refused(REQUEST), (turn) => {
      const sent = turn.parts.store.codes.find(phoneOf(turn));
      const forgiven = turn.seen.notes<number>('forgiven tries');
      if (sent) forgiven.set(sent.seq, sent.failures + (forgiven.get(sent.seq) ?? 0));
    }),
  }),
  defect('code-kept-over-trouble', 'failed-save-burns-code', {
    title: 'A sign-in that fails with the EHR server uses the code up',
    ...after(refused(CONFIRM), (turn) => {
      if (String(reasonOf(turn.reply)).startsWith('ehr_')) turn.parts.store.codes.remove(phoneOf(turn));
    }),
  }),
  defect('tries-survive-refused-request', 'same-code-with-fresh-tries', {
    title: 'The same code is sent again while it lives, each time with fresh tries',
    parts: sendsSameCodeAgain({ forgets: true }),
  }),
  defect('tries-kept-beside-others', 'tries-evicted', {
    title: 'Tries of a code are forgotten once a few newer codes were sent',
    ...forgetsTries(({ seen, params }) => {
      const newest = seen.done(REQUEST).slice(-NEWER_CODES);
      return newest.length === NEWER_CODES && newest.every(({ params: { phone } }) => phone !== params.phone);
    }),
  }),
  defect('wrong-code-refused-alike', 'wrong-code-tells-account', {
    title: 'A wrong code for a phone that nobody has signed in with is refused with a reason of its own',
    ...tellsInRefusal(CONFIRM, (turn) => (userOf(turn) === undefined ? { reason: 'no_account' } : undefined)),
  }),
  defect('code-request-ends-no-session', 'code-request-ends-sessions', {
    title: 'A request for a code ends the sessions of that phone',
    ...ends(done(REQUEST), ({ seen, params }) => openedFor(seen, params.phone)),
  }),
  defect('wrong-code-ends-no-session', 'wrong-code-ends-sessions', {
    title: 'A wrong code ends the sessions of that phone',
    ...ends(refused(CONFIRM), ({ seen, params }) => openedFor(seen, params.phone)),
  }),
  defect('malformed-refused', 'control-characters-are-internal', {
    title: 'A text with control characters is answered with an internal error',
    ...instead([REQUEST, CONFIRM], ({ params }) =>
      /\p{Cc}/u.test(`${params.phone}${params.code}`) ? no('internal_error') : undefined,
    ),
  }),
];

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

function addedSession({ store, random, clock }: Mock, user: string) {
  const token = randomToken(random);
  const [createdAt, expiresAt] = [clock.now(), clock.now() + CODE_LIFETIME_MS];
  store.sessions.add({ tokenHash: hashToken(token), user, internalId: undefined, createdAt, expiresAt });
  return { user, token, ttl: CODE_LIFETIME_MS / 60_000 };
}

export const acceptanceDefects = [
  defect('wrong-code-refused', 'any-code', {
    title: 'Any code is accepted',
    ...accepts(({ sent }) => sent.length > 0),
  }),
  defect('wrong-code-refused', 'session-in-refusal', {
    title: 'The refusal of a wrong code carries a session of the user of that phone',
    ...tellsInRefusal(CONFIRM, (turn) => {
      const user = userOf(turn);
      return user === undefined ? undefined : { authInfo: addedSession(turn.parts, user) };
    }),
  }),
  defect('phone-confirmed', 'phone-alone', {
    title: 'A phone alone opens a session, whatever the code',
    ...accepts(() => true),
  }),
  defect('used-code-refused', 'code-accepted-twice', {
    title: 'A used code is accepted again',
    ...accepts(({ code, sent }) => sent[0] === code),
  }),
  defect('foreign-code-refused', 'code-not-bound-to-phone', {
    title: 'A code is accepted for any phone',
    ...accepts(({ text, turn }) => codesSent(turn.parts).includes(text)),
  }),
  defect('no-session-without-code', 'master-code', {
    title: 'The code 000000 is accepted for every phone',
    ...accepts(({ code }) => code === '000000'),
  }),
  defect('superseded-code-refused', 'old-codes-live-on', {
    title: 'A code sent before the newest one is still accepted',
    ...accepts(({ text, sent }) => sent.slice(1).includes(text)),
  }),
  defect('expired-code-refused', 'codes-never-expire', {
    title: 'Codes never expire',
    ...wraps('codes', 'claim', (claim, { store, clock }, attribute, code) => {
      const sent = store.codes.find(attribute);
      // The code lives another minute whenever it is tried.
      if (sent) store.codes.put(attribute, sent, clock.now(), clock.now() + 60_000);
      return claim(attribute, code);
    }),
  }),
  defect('expired-code-refused', 'tries-prolong-code', {
    title: 'Each try prolongs the life of a code',
    ...wraps('codeRows', 'find', (find, { clock, seen }, attribute) => {
      const sent = find(attribute);
      if (!sent) return undefined;
      const ends = seen.notes<number>('ends of codes');
      const expiresAt = ends.get(sent.seq) ?? sent.expiresAt;
      if (clock.now() < expiresAt) ends.set(sent.seq, clock.now() + CODE_LIFETIME_MS);
      return { ...sent, expiresAt };
    }),
  }),
  defect('code-confirms-own-phone', 'code-for-known-phones', {
    title: 'A code that was sent to anybody confirms the phone of a known user',
    ...accepts(({ text, turn }) => userOf(turn) !== undefined && codesSent(turn.parts).includes(text)),
  }),
  defect('whole-code-compared', 'last-four-compared', {
    title: 'The last four digits of a code are compared',
    ...accepts(({ text, sent: [right = 'none'] }) => text.length === 6 && text.slice(-4) === right.slice(-4)),
  }),
  defect('whole-code-compared', 'digits-in-any-order', {
    title: 'The digits of a code are compared without their order',
    ...accepts(({ text, sent: [right = '-'] }) => sorted(text) === sorted(right)),
  }),
  defect('code-alone-accepted', 'code-sought-in-text', {
    title: 'A text that has the code in it confirms',
    ...accepts(({ text, sent: [right = 'none'] }) => text.includes(right)),
  }),
  defect('empty-code-after-use-refused', 'used-code-emptied', {
    title: 'After a code was used an empty one confirms',
    ...accepts(
      ({ code, sent, turn }) =>
        code === '' && sent.length > 0 && turn.parts.store.codes.find(phoneOf(turn)) === undefined,
    ),
  }),
  defect('wrong-code-with-sign-refused', 'sign-skips-code', {
    title: 'A sign-in with a signature needs no right code',
    ...accepts(({ sent, turn }) => typeof turn.params.ehr_user_sign === 'string' && sent.length > 0),
  }),
  defect('refusal-tells-no-digits', 'right-digits-counted', {
    title: 'The refusal of a wrong code counts its right digits',
    ...tellsDigits((same) => ({ right: count(same, true) })),
  }),
  defect('refusal-tells-no-digits', 'right-digits-marked', {
    title: 'The refusal of a wrong code marks each right digit',
    ...tellsDigits((same) => ({ same })),
  }),
  defect('code-works-once-at-once', 'code-used-up-last', {
    title: 'A code is used up after the slow part, so equal confirmations all succeed',
    ...wraps('codes', 'claim', (claim, mock, attribute, code) => {
      const claimed = claim(attribute, code);
      claimed.release();
      return { consume: () => later(mock, SLOW_PART_MS, () => claimed.consume()), release: () => undefined };
    }),
  }),
];
