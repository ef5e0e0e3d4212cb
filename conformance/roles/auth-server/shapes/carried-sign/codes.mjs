/**
 * The one-time codes of this authorization server: draws, sends and counts them, and lets each be confirmed
 * once. The code under `fault(name)` runs only in a server that is wrong on purpose.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from './ehr-caller.mjs';
import { RpcFault } from './rpc-fault.mjs';

const DAY_MS = 24 * 60 * 60_000;
/** Limits the wrong guesses at one code. */
const MAX_TRIES = 5;
/** A fault waits this long (ms), so that simultaneous requests meet in the middle of it. */
const SLOW_PART_MS = 100;

/** Codes are compared by digests of equal length, in constant time. */
const digestOf = (text) => createHash('sha256').update(text).digest();

export class Codes {
  #settings;
  #memory;
  #draw;
  #now;
  #count = 100_000;
  /** The phone that asked last, for any client; only a fault reads it. */
  #lastAsker;
  /** The message sent last; only a fault waits for it. */
  #lastSending = Promise.resolve();
  /** The last used code of each phone; only a fault reads it. */
  #used = new Map();

  constructor({ settings, memory, draw, now }) {
    this.#settings = settings;
    this.#memory = memory;
    this.#draw = draw;
    this.#now = now;
  }

  /** Sends a code to a phone. The new code replaces the previous one. */
  async send(params) {
    const { fault, otpLifetimeSeconds, resendSeconds, smsUrl } = this.#settings;
    const { codes, sends } = this.#memory;
    const [first, ...others] = fault('phones-split-at-comma')
      ? String(params.phone).split(',')
      : [params.phone];
    const phone = this.phoneOf({ phone: first });
    const counted = fault('pause-per-spelling') ? params.phone : phone;
    const at = await this.#countSend(counted);
    const code = this.#newCode(phone);
    const kept = fault('code-kept-as-number') ? String(Number(code)) : code;
    const shown = fault('code-printed-as-number') ? Number(code) : code;
    const sent = { code: kept, tries: 0, until: at + otpLifetimeSeconds * 1_000 };
    codes.set(phone, fault('older-code-accepted') ? [sent, ...(codes.get(phone) ?? [])] : [sent]);
    if (fault('used-code-revived')) codes.get(phone).push(...(this.#used.get(phone) ?? []));
    // The message goes to the number as requested, although a fault may count the phone under another key.
    let to = phoneOf({ phone: first });
    if (fault('message-to-last-asker')) {
      this.#lastAsker = to;
      await sleep(SLOW_PART_MS);
      to = this.#lastAsker;
    }
    for (const other of others) await postJson(smsUrl, { to: other, text: `Code: ${shown}` }, this.#settings);
    const post = () => postJson(smsUrl, { to, text: `Code: ${shown}` }, this.#settings);
    const sending = fault('messages-in-turn') ? this.#lastSending.then(post) : post();
    this.#lastSending = sending;
    if (!(await sending) && !fault('gateway-refusal-ignored')) {
      // Nothing was sent, so the phone may request a code again at once.
      const times = sends.get(counted)?.filter((time) => time !== at) ?? [];
      if (fault('locked-after-gateway-failure')) sends.set(counted, [at + DAY_MS]);
      else if (fault('pause-kept-after-gateway-failure')) sends.set(counted, [...times, at]);
      else if (times.length === 0) sends.delete(counted);
      else sends.set(counted, times);
      if (fault('code-emptied-by-gateway-failure')) sent.code = '';
      else this.useUp(phone, sent);
      const detail = fault('gateway-address-told') ? smsUrl : undefined;
      throw new RpcFault('sms_not_sent', { code: -35004, detail });
    }
    const reply = { digits: code.length, expiresIn: otpLifetimeSeconds, resendAfter: resendSeconds };
    return fault('code-in-reply') ? { ...reply, code } : reply;
  }

  /**
   * Counts a code for a phone, and returns the moment (ms). Refuses it within the pause and beyond the daily
   * cap.
   */
  async #countSend(phone) {
    const { fault, resendSeconds, codesPerDay } = this.#settings;
    const at = this.#now();
    this.#memory.forgetBefore(at - DAY_MS);
    const times = (this.#memory.sends.get(phone) ?? []).filter((time) => time > at - DAY_MS);
    if (fault('pause-read-early')) await sleep(SLOW_PART_MS);
    const tooSoon = times.length > 0 && at < times.at(-1) + resendSeconds * 1_000;
    if (tooSoon && !fault('no-pause')) throw new RpcFault('otp_throttled', { code: -35003 });
    if (times.length >= codesPerDay && !fault('no-cap'))
      throw new RpcFault('otp_throttled', { code: -35003 });
    this.#memory.sends.set(phone, [...times, at]);
    return at;
  }

  #newCode(phone) {
    const { fault } = this.#settings;
    if (fault('code-from-phone')) return phone.slice(-6).padStart(6, '0');
    if (fault('codes-counting')) return String(++this.#count);
    if (fault('codes-from-clock'))
      return String(Math.floor(this.#now() / 1_000) % 1_000_000).padStart(6, '0');
    return this.#draw.code();
  }

  /**
   * Claims the newest code of a phone for one confirmation: until the confirmation ends, `busy` keeps other
   * calls from using the code. `signed`: the client sent a user_sign. `written`: the phone as the client
   * wrote it.
   */
  async claim(phone, code, signed, written) {
    const { fault } = this.#settings;
    const codes = this.#memory.codes.get(phone) ?? [];
    if (fault('dies-at-empty-code') && code === '') this.#settings.die();
    if (fault('no-confirmation') || (signed && fault('sign-skips-code'))) return codes[0];
    const sent = codes.find((each) => each.code === code) ?? codes[0];
    if (sent?.busy && fault('loser-is-internal')) throw new Error('The row is locked.');
    if (!sent || sent.busy) throw new RpcFault('otp_wrong', { code: -35001 });
    if (sent.until <= this.#now() && !fault('codes-never-expire'))
      throw new RpcFault('otp_expired', { code: -35001 });
    if (sent.tries >= MAX_TRIES && !fault('tries-not-limited'))
      throw new RpcFault('otp_exhausted', { code: -35002 });
    if (fault('tries-counted-late')) await sleep(SLOW_PART_MS);
    if (!this.#isRight(sent, code)) {
      if (!fault('tries-by-spelling') || written === phone) sent.tries++;
      throw new RpcFault('otp_wrong', {
        code: -35001,
        detail: fault('code-in-error') ? sent.code : undefined,
      });
    }
    if (fault('code-used-late')) await sleep(SLOW_PART_MS);
    else sent.busy = true;
    if (fault('loser-is-internal')) await sleep(SLOW_PART_MS);
    return sent;
  }

  #isRight(sent, code) {
    const { fault } = this.#settings;
    if (fault('empty-code-accepted') && code === '') return true;
    if (fault('null-code-accepted') && code == null) return true;
    if (fault('master-code') && code === '123456') return true;
    if (fault('last-four-compared') && String(code).slice(-4) === sent.code.slice(-4)) return true;
    const others = [...this.#memory.codes.values()].flat().map((each) => each.code);
    if (fault('code-of-any-phone') && others.includes(code)) return true;
    return (
      typeof code === 'string' && timingSafeEqual(digestOf(code.replace(/\s/g, '')), digestOf(sent.code))
    );
  }

  /** The phone of a call, as the key of its user. */
  phoneOf(params) {
    const phone = phoneOf(params);
    return this.#settings.fault('last-ten-digits') ? phone.slice(-10) : phone;
  }

  /** Ends a code. A code that was sent to the phone meanwhile stays valid. */
  useUp(phone, sent) {
    this.#used.set(phone, [sent]);
    const left = (this.#memory.codes.get(phone) ?? []).filter((each) => each !== sent);
    if (left.length === 0) this.#memory.codes.delete(phone);
    else this.#memory.codes.set(phone, left);
  }
}

/** A phone as digits only; a leading 8 of eleven digits becomes 7. */
function phoneOf({ phone }) {
  const digits = typeof phone === 'string' ? phone.replace(/[\s+().-]/g, '') : '';
  if (!/^[0-9]{5,15}$/.test(digits)) throw new RpcFault('invalid_params', { code: -32602 });
  return digits.length === 11 && digits.startsWith('8') ? `7${digits.slice(1)}` : digits;
}
