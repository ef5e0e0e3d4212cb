/**
 * The one-time codes of this authorization server: draws, sends and counts them, and lets each be confirmed
 * once. The code under `fault(name)` runs only in a server that is wrong on purpose.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadline } from '../deadline.mjs';
import { accountOf, DAY_MS, digestOf, endSessions, keyOf, Refusal, SLOW_PART_MS } from './common.mjs';

/** Limits the wrong guesses at one code. */
const MAX_TRIES = 5;

/**
 * Claims a challenge for one confirmation: until the confirmation ends, `busy` keeps other requests from
 * using it. Every refusal is the same, so that it reveals nothing. `claimed` is the address that the request
 * claims to come from (X-Forwarded-For); only faults trust it.
 */
export async function claim(app, { challenge, code, phone }, claimed) {
  const { state, fault, busy } = app;
  const sent = typeof challenge === 'string' ? state.challenges.get(challenge) : undefined;
  // A confirmation may omit the phone. If it names one, it must be that of the challenge.
  const named = phone === undefined ? sent?.phone : phoneOf({ phone });
  const wins = fault('phone-of-confirmation-wins');
  const account = sent && (named === sent.phone || wins) ? accountOf(app, named) : undefined;
  const refusal = new Refusal('code_not_accepted', {
    status: 401,
    detail: fault('code-in-refusal') ? sent?.code : undefined,
  });
  if (busy.has(challenge) && fault('loser-is-internal')) throw new Error('The row is locked.');
  if (!sent || busy.has(challenge) || (sent.until <= app.now() && !fault('codes-never-expire')))
    throw refusal;
  const spelt = fault('tries-by-spelling') && phone !== named;
  const counted = fault('tries-by-claimed-address') ? `tries from ${claimed}` : spelt ? 'spelt' : 'tries';
  if ((sent[counted] ?? 0) >= MAX_TRIES && !fault('tries-not-limited')) throw refusal;
  if (fault('tries-counted-late')) await sleep(SLOW_PART_MS);
  if (fault('tries-prolong-code')) sent.until = app.now() + app.options.otpLifetimeSeconds * 1_000;
  if (!isRight(app, sent, code) || !account) {
    if (fault('wrong-code-ends-sessions')) endSessions(state, sent.phone);
    sent[counted] = (sent[counted] ?? 0) + 1;
    if (fault('session-in-refusal') && account) refusal.detail = openedSession(app, account);
    throw refusal;
  }
  if (fault('code-used-late')) await sleep(SLOW_PART_MS);
  else busy.add(challenge);
  if (fault('loser-is-internal')) await sleep(SLOW_PART_MS);
  return { sent, account };
}

/** Opens a session without a code and returns it as a successful sign-in does; only faults call this. */
export function openedSession(app, { phone, id }) {
  const [bearer, token] = [app.random.token(), app.random.token()];
  app.state.sessions.set(keyOf(bearer, app), { phone, token, until: app.now() + DAY_MS });
  return { access: { bearer }, ehr: { user: id, token, ttl: 24 * 60 } };
}

/** Whether a code is the one that was sent, blanks apart. */
function isRight({ fault, now }, sent, code) {
  if (fault('no-confirmation')) return true;
  if (fault('empty-code-accepted') && (code ?? '') === '') return true;
  if (fault('code-sought-in-text') && String(code).includes(sent.code)) return true;
  if (fault('array-code-accepted') && Array.isArray(code)) return true;
  if (fault('master-code') && code === '000000') return true;
  if (fault('digits-in-any-order') && sorted(code) === sorted(sent.code)) return true;
  if (fault('date-as-code') && code === dateOf(now())) return true;
  const [given, right] = [typeof code === 'string' ? code.replace(/\s/g, '') : '', sent.code].map(digestOf);
  return timingSafeEqual(given, right);
}

const sorted = (text) => (typeof text === 'string' ? [...text].sort().join('') : '');
const dateOf = (now) => new Date(now).toISOString().slice(2, 10).split('-').reverse().join('');

/** Draws the challenge, the key of a code request; random unless a fault is switched on. */
export function newChallenge({ fault, random }, phone, code, account) {
  if (fault('code-in-challenge')) return Buffer.from(`${phone}:${code}`).toString('base64url');
  if (fault('challenge-longer-for-known') && account) return `${random.token()}known`;
  if (!fault('code-hash-in-challenge')) return random.token();
  return `${createHash('md5').update(code).digest('hex')}${random.token().slice(0, 8)}`;
}

/** Draws a code of six digits. */
export function drawCode({ fault, random, now, counters }) {
  if (fault('code-same-for-all')) return '424242';
  if (fault('codes-counting')) return String(100_000 + ++counters.codes);
  if (fault('codes-of-c-library')) {
    counters.rand = ((Math.imul(counters.rand, 1_103_515_245) + 12_345) >>> 0) % 2 ** 31;
    return String(counters.rand % 1_000_000).padStart(6, '0');
  }
  if (fault('codes-from-clock')) return String(Math.floor(now() / 1_000) % 1_000_000).padStart(6, '0');
  return random.code();
}

/**
 * Counts a code for a phone, registered or not. Refuses it within the pause and beyond the daily cap. Forgets
 * what is older than a day.
 */
export function countSend({ state, fault, now, options }, phone, claimed) {
  const at = now();
  for (const [key, times] of state.sends) if (times.at(-1) <= at - DAY_MS) state.sends.delete(key);
  for (const ended of [state.challenges, state.sessions]) {
    for (const [key, { until }] of ended) if (until <= at - DAY_MS) ended.delete(key);
  }
  const counted = fault('pause-by-claimed-address') ? `${phone} ${claimed}` : phone;
  const times = (state.sends.get(counted) ?? []).filter((time) => time > at - DAY_MS);
  const last = times.at(-1) ?? -Infinity;
  const isTooSoon = at - last < options.resendSeconds * 1_000 && !fault('no-pause');
  if (isTooSoon && fault('refused-request-resets-tries'))
    for (const sent of state.challenges.values()) if (sent.phone === phone) sent.tries = 0;
  if (isTooSoon) throw new Refusal('wait_for_the_next_code', { status: 429 });
  if (times.length >= options.codesPerDay && !fault('no-cap'))
    throw new Refusal('no_more_codes_today', { status: 429 });
  state.sends.set(counted, [...times, at]);
}

/** Sends a message to the gateway. Resolves to its answer. */
export async function sendSms({ options, closing, fault, counters }, to, text) {
  // A message that fails must not keep the next one from being sent.
  if (fault('messages-in-turn')) await counters.sending?.catch(() => undefined);
  const { signal, end } = deadline(closing.signal, options.ehrTimeoutMs);
  const body = JSON.stringify({ to, text });
  const headers = { 'content-type': 'application/json' };
  const sending = fetch(options.smsUrl, { method: 'POST', headers, body, signal }).finally(end);
  counters.sending = sending;
  return sending;
}

/** The phone of a request as digits only; a leading 8 of eleven digits becomes 7. */
export function phoneOf({ phone }) {
  const digits = typeof phone === 'string' ? phone.replace(/[\s+().-]/g, '') : '';
  if (!/^[0-9]{5,15}$/.test(digits)) throw new Refusal('phone_invalid', { status: 422 });
  return digits.length === 11 ? digits.replace(/^8/, '7') : digits;
}
