/** Harmless variants of the mock in its habits, its replies and its codes. */
import { createHash } from 'node:crypto';
import { CODE_LIFETIME_MS, MAX_WRONG_CODES } from '#protocol/limits.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { membersOf } from '../../../engine/defects/rpc-call.ts';
import { authInfoOf, callIn, doneReply, onceMore, readAgain, saidIn, sends } from './change-calls.ts';
import {
  ANY,
  after,
  aMoment,
  around,
  before,
  CONFIRM,
  done,
  EXCHANGE,
  ends,
  harmless,
  instead,
  type Mock,
  no,
  REPORT,
  reasonOf,
  refused,
  type Send,
  sessionsOf,
  tells,
  tellsInRefusal,
  tokensOf,
  withParams,
  wraps,
  yes,
} from './defect.ts';

/** Sends each call with the id of `make`. In the reply the server reads the id that it had chosen itself. */
function withId(make: (id: unknown) => string | number): Send {
  return (send) => async (input, init) => {
    const call = callIn(init);
    const id = make(call.id);
    const response = await send(input, { ...init, body: JSON.stringify({ ...call, id }) });
    const text = await response.text().catch((error: Error) => error);
    if (typeof text !== 'string') return readAgain(response, text);
    // Changes only the id, so that a strange reply stays as strange as it is.
    const idMember = new RegExp(`("id"\\s*:\\s*)"?${id}"?(?=\\s*[,}])`, 'g');
    const body = text.replace(idMember, (_, name: string) => name + JSON.stringify(call.id));
    return readAgain(response, body);
  };
}

const harmlessCalls = [
  harmless('members-reversed', {
    title: 'The members of the call stand in another order',
    ...sends((out) => void Object.assign(out, { call: reversed(out.call) })),
  }),
  harmless('created-sent', {
    title: 'authInfo says when it was made',
    ...sends((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  }),
  harmless('idempotency-key', {
    title: 'A header has the SHA-256 of the session token, so that a repeat is recognized',
    ...sends((out) => {
      const key = createHash('sha256')
        .update(String(authInfoOf(out).token))
        .digest('base64url');
      Object.assign(out.init.headers, { 'idempotency-key': key });
    }),
  }),
  harmless('large-ids', {
    title: 'The ids are large numbers',
    fetch: withId((id) => 9_000_000_000_000 + Number(id)),
  }),
  harmless('escaped-unicode', {
    title: 'The body escapes letters',
    ...sends(
      ({ init, call }) =>
        void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
    ),
  }),
  harmless('chunked-body', {
    title: 'The body is sent in chunks',
    // A stream has no known length, so the request has no Content-Length.
    fetch: (send) => (input, init) =>
      send(input, { ...init, ...{ body: new Blob([String(init?.body)]).stream(), duplex: 'half' } }),
  }),
  harmless('retries-unreachable', {
    title: 'A connection that is refused is tried once more',
    fetch: onceMore,
  }),
];

/** Returns the call with the members of each object in reverse order. */
const reversed = (call: object) =>
  JSON.parse(JSON.stringify(call), (_name, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );

const STORED_ALREADY = /-3400[34]\b/;

/** The least that an adapter file may list. */
const FOUR_PHONES = ['79995550001', '79995550002', '79995550003', '79995550004'];

/** The check that guesses at the code of a phone, which can take part in nothing else meanwhile. */
const GUESSED_AT = 'tries-kept-beside-others';

const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';
/** A call that took longer (ms) is not tried again, so that nobody waits twice for the EHR server. */
const RETRY_WITHIN_MS = 500;
/** How long (ms) the try of a code keeps other tries for the same phone out. */
const TRY_MS = 5;

/** Sends the same code to a phone again until it is used, tried out or expired. `forgets`: never tried out. */
export const sendsSameCodeAgain =
  ({ forgets }: { forgets: boolean }) =>
  (mock: Mock) => {
    const { codes, clock, seen, store } = mock;
    const { issue, claim } = codes;
    const sent = seen.notes<{ shown: string; real: string; until: number }>('sent');
    codes.issue = (attribute) => {
      const failures = forgets ? 0 : (store.codes.find(attribute)?.failures ?? 0);
      const real = issue(attribute);
      const known = sent.get(attribute.value);
      const isAlive = known !== undefined && known.until > clock.now() && failures < MAX_WRONG_CODES;
      const { seq = 0 } = (isAlive && store.codes.find(attribute)) || {};
      for (let counted = 0; isAlive && counted < failures; counted++) store.codes.countFailure(seq);
      const { shown, until } = isAlive ? known : { shown: real, until: clock.now() + CODE_LIFETIME_MS };
      sent.set(attribute.value, { shown, real, until });
      return shown;
    };
    codes.claim = (attribute, code) => {
      const own = sent.get(attribute.value);
      const claimed = claim(attribute, own?.shown === code && own.until > clock.now() ? own.real : 'none');
      const consume = () => {
        claimed.consume();
        sent.delete(attribute.value);
      };
      return { ...claimed, consume };
    };
  };

export const harmlessServers = [
  ...harmlessCalls,
  harmless('tries-left-told', {
    title: 'The refusal of a code says how many tries are left, and how many were used',
    ...tellsInRefusal(CONFIRM, ({ seen, params }) => {
      const used = ((seen.countUp('refusals', params.phone) - 1) % 5) + 1;
      return { used, left: 5 - used };
    }),
  }),
  harmless('attempt-in-refusals', {
    title: 'The refusal of a code has the id of this attempt',
    ...tellsInRefusal(CONFIRM, () => ({ attempt: ATTEMPT_ID })),
  }),
  harmless('own-phone-told', {
    title: 'A sign-in is answered with the phone that it confirmed',
    ...tells(CONFIRM, ({ params }) => ({ phone: params.phone })),
  }),
  harmless('recorded-report-not-sent-again', {
    title: 'A report that was recorded is answered without another call when it is repeated',
    ...wraps('ehr', 'saveAuthInfo', async (save, { seen }, info, sign) => {
      const recorded = seen.notes('recorded');
      const key = JSON.stringify([info.token, sign]);
      if (recorded.has(key)) return undefined;
      const refusal = await save(info, sign);
      if (!refusal) recorded.set(key, true);
      return refusal;
    }),
  }),
  harmless('one-try-at-a-time', {
    title: 'While a code is being tried, another try for the same phone is refused and not counted',
    ...around(CONFIRM, async ({ seen, parts, params, next }) => {
      const busy = seen.notes('phones being tried');
      if (typeof params.phone !== 'string') return next();
      if (busy.has(params.phone)) return no('otp_wrong');
      busy.set(params.phone, true);
      await aMoment(parts, TRY_MS);
      return next().finally(() => busy.delete(params.phone));
    }),
  }),
  harmless('codes-of-any-length', {
    title: 'A code is a number, and neither printed nor confirmed with zeros at its beginning',
    ...wraps('messages', 'add', (add, _mock, to, text, code, at) => add(to, text, String(Number(code)), at)),
    ...before(CONFIRM, ({ call, params: { code } }) =>
      typeof code === 'string' && /^\d{1,5}$/.test(code)
        ? withParams(call, { code: code.padStart(6, '0') })
        : undefined,
    ),
  }),
  harmless('tokens-begin-with-time', {
    title: 'Tokens begin with the time, as a ULID does, and have 80 bits that do not',
    // Six bytes of milliseconds, then ten random ones.
    ...tokensOf(({ clock }, _count, random) =>
      Buffer.concat([Buffer.from(clock.now().toString(16).padStart(12, '0'), 'hex'), random(10)]),
    ),
  }),
  harmless('batches-of-one', {
    title: 'Every call is sent as a batch of one',
    fetch: (send) => async (input, init) => {
      const response = await send(input, { ...init, body: `[${String(init?.body)}]` });
      const text = await response.text();
      const single = /^\s*\[(?<reply>.*)\]\s*$/s.exec(text)?.groups?.reply ?? text;
      return readAgain(response, single);
    },
  }),
  harmless('retries-with-new-token', {
    title: 'What the EHR server refused or did not answer is tried once more, with a new token',
    ...around([EXCHANGE, CONFIRM], async ({ parts: { clock }, next }) => {
      const begun = clock.now();
      const reply = await next();
      const isTrouble = String(reasonOf(reply)).startsWith('ehr_');
      return isTrouble && clock.now() - begun < RETRY_WITHIN_MS ? next() : reply;
    }),
  }),
  harmless('calls-named-in-log', {
    title: 'It logs the method and the phone of each call, and when it came',
    ...before(ANY, ({ call, params, parts }) => {
      parts.print(`${parts.clock.now()} ${call.method} ${params.phone ?? ''}`);
    }),
  }),
  harmless('repeats-lost-calls', {
    title: 'A call without an answer is repeated with the same tokens',
    // "Stored already" is taken for success.
    fetch: (send) => async (input, init) => {
      try {
        return await send(input, init);
      } catch (error) {
        if (init?.signal?.aborted) throw error;
        const response = await send(input, init);
        return STORED_ALREADY.test(await saidIn(response)) ? doneReply(callIn(init).id) : response;
      }
    },
  }),
  harmless('one-request-at-a-time', {
    title: 'Requests are carried out one after another, those of all users',
    pipeline(pipeline) {
      let last: Promise<unknown> = Promise.resolve();
      return (text, channel) => {
        const answer = last.then(() => pipeline(text, channel));
        last = answer.catch(() => undefined);
        return answer;
      };
    },
  }),
  harmless('one-session-a-user', {
    title: 'The newest sign-in ends the older sessions of the user',
    ...ends(done(CONFIRM), ({ seen, result }) => {
      const own = membersOf(result.authInfo);
      return sessionsOf(seen, own.user).filter(({ token }) => token !== own.token);
    }),
    // The session of another device has ended.
    notPlayable: ['deletion-ends-all-sessions', 'wrong-code-ends-no-session'],
  }),
  harmless('refusals-are-internal', {
    title: 'Whatever is refused to a client is answered with an internal error',
    ...after(refused(ANY), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
    told: ['malformed-refused'],
  }),
  harmless('missing-entry-is-accepted', {
    title: 'The report of a user without an entry is taken, and nothing is saved',
    ...after(refused(REPORT, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
    told: ['missing-correspondence-told'],
  }),
  harmless('health-asked', {
    title: 'After each call the EHR server is asked how it is, by a method of its own',
    fetch: (send) => async (input, init) => {
      const reply = await send(input, init);
      const asked = { jsonrpc: '2.0', id: `h-${callIn(init).id}`, method: 'vendor.health', params: {} };
      await (await send(input, { ...init, body: JSON.stringify(asked) })).text();
      return reply;
    },
  }),
  harmless('long-signs-refused', {
    title: 'A reported signature of more than 128 characters is refused',
    ...instead(REPORT, ({ params }) =>
      String(params.user_sign).length > 128 ? no('invalid_params') : undefined,
    ),
  }),
  harmless('four-phones', {
    title: 'Only four phones are known, and one of them is sent twenty codes in a day',
    file: ({ otp }) => ({
      people: { phones: FOUR_PHONES, unknown: '7888555####' },
      ...(otp && { otp: { ...otp, perDay: 20 } }),
    }),
    notPlayable: ['same-ending-other-user', 'code-to-named-phone', 'entry-of-own-phone', GUESSED_AT],
  }),
  harmless('ttl-unit-stated', {
    title: 'It counts ttl in seconds, to both sides, as its adapter file says',
    env: { AUTH_TTL_UNIT: 'seconds', AUTH_SESSION_TTL: '86400' },
    file: ({ ehr }) => ({ ehr: { ...ehr, ttlUnit: 'seconds' } }),
  }),
  harmless('same-code-again', {
    title: 'The same code is sent again while it lives',
    parts: sendsSameCodeAgain({ forgets: false }),
    notPlayable: ['superseded-code-refused'],
  }),
  harmless('mutual-tls', {
    title: 'The EHR server is called over https with a client certificate',
    tls: 'checked',
  }),
];
