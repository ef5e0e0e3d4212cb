/**
 * The methods that clients call at this authorization server, with its users and sessions. The code under
 * `fault(name)` runs only in a server that is wrong on purpose.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Codes } from './codes.mjs';
import { EhrTrouble } from './ehr-caller.mjs';
import { RpcFault } from './rpc-fault.mjs';

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];
/** Limits the tokens drawn for one call: the EHR server may answer that a token is stored already. */
const MAX_DRAWS = 3;
/** A fault waits this long (ms), so that simultaneous requests meet in the middle of it. */
const SLOW_PART_MS = 100;
/** Error codes of the EHR server. */
const [NOT_AUTHORIZED, USER_UNKNOWN, TOKEN_STORED, EXCHANGE_TOKEN_STORED] = [-33000, -34007, -34003, -34004];

/** Answers the calls of clients; `memory` is the state that outlives a restart. */
export class AuthServer {
  #ehr;
  #draw;
  #now;
  #codes;
  #count = 0;
  /** What happened last, for any client; only faults read it. */
  #last = {};

  constructor({ settings, memory, ehr, draw, now }) {
    this.settings = settings;
    this.memory = memory;
    this.#ehr = ehr;
    this.#draw = draw;
    this.#now = now;
    this.#codes = new Codes({ settings, memory, draw, now });
  }

  /** Executes one call of a client. */
  async execute(call) {
    if (typeof call !== 'object' || call === null || Array.isArray(call) || call.jsonrpc !== '2.0')
      throw new RpcFault('invalid_request', { code: -32600 });
    // An empty list is accepted as missing params.
    const params = Array.isArray(call.params) || call.params == null ? {} : call.params;
    switch (call.method) {
      case 'auth.request_otp':
        return this.#codes.send(params);
      case 'auth.confirm_otp':
        return this.#confirmOtp(params);
      case 'auth.exchange_token':
        return this.#exchangeToken(call.cred);
      default:
        throw new RpcFault('method_not_found', { code: -32601 });
    }
  }

  async #confirmOtp(params) {
    const { fault, sessionMinutes } = this.settings;
    const phone = this.#codes.phoneOf(params);
    const { ehr_user_sign: carried } = params;
    // The user_sign that the client sent with its sign-in; undefined: the client has none.
    const sign = typeof carried === 'string' && carried !== '' ? carried : undefined;
    if (fault('save-before-confirmation') && sign) await this.#openSession(phone, sign);
    const claimed = this.#codes.claim(phone, params.code, sign !== undefined, params.phone);
    const sent = await (fault('session-in-refusal')
      ? claimed.catch((error) => this.#carrySession(error, phone))
      : claimed);
    try {
      const { session, linked } = await this.#openSession(phone, sign);
      if (sent && !fault('code-works-twice')) this.#codes.useUp(phone, sent);
      if (fault('pause-reset-by-success')) this.memory.sends.delete(phone);
      if (fault('second-sign-in-ends-first')) this.#endSessionsOf(session.user);
      this.memory.sessions.set(this.#keyOf(session.token), session);
      this.#last.session = session;
      const ttl = sessionMinutes - (fault('ttl-told-shorter') ? 60 : 0);
      const reply = { authInfo: { user: session.user, token: session.token, ttl }, linked };
      return fault('last-sign-in-reply') ? { ...reply, user_sign: this.#last.sign } : reply;
    } finally {
      if (sent) sent.busy = undefined;
      if (sign && fault('last-sign-in-reply')) this.#last.sign = sign;
    }
  }

  /** Refuses a code, and puts a session into the refusal; only a fault does. */
  async #carrySession(error, phone) {
    const { session } = await this.#openSession(phone);
    this.memory.sessions.set(this.#keyOf(session.token), session);
    error.detail = {
      authInfo: { user: session.user, token: session.token, ttl: this.settings.sessionMinutes },
    };
    throw error;
  }

  /**
   * Opens a session of a phone's user. With a user_sign, saves the session at the EHR server first; where the
   * link of that user_sign was removed, opens an unlinked session.
   */
  async #openSession(phone, carried) {
    const { fault, sessionMinutes } = this.settings;
    const user = this.#userOf(phone);
    const sign = carried && this.#signToUse(carried);
    if (sign && user.internal === undefined) throw new RpcFault('user_unknown', { code: USER_UNKNOWN });
    for (let drawn = 1; ; drawn++) {
      const session = {
        user: user.id,
        token: this.#newToken(),
        until: this.#now() + sessionMinutes * MINUTE_MS,
      };
      if (!sign) return { session, linked: false };
      this.#last.opening = session;
      const refused = await this.#saveAuthInfo(session, sign);
      const opened = fault('session-in-shared-variable') ? this.#last.opening : session;
      opened.until = this.#now() + sessionMinutes * MINUTE_MS;
      if (!refused) return { session: opened, linked: true };
      const isStale = refused.code === NOT_AUTHORIZED || refused.code === USER_UNKNOWN;
      if (isStale && !fault('stale-sign-locks-out')) return { session, linked: false };
      if (refused.code !== TOKEN_STORED || drawn === MAX_DRAWS) throw this.#refusedByEhr(refused);
    }
  }

  /** The user_sign that the client sent; faults change it. */
  #signToUse(carried) {
    const { fault } = this.settings;
    if (fault('sign-of-first-user')) this.#last.firstSign ??= carried;
    if (fault('sign-cut')) return carried.slice(0, 32);
    if (fault('long-sign-cut-in-column')) return carried.slice(0, 255);
    if (fault('sign-lower-case')) return carried.toLowerCase();
    if (fault('sign-sanitised')) return carried.replace(/[^A-Za-z0-9]/g, '');
    return this.#last.firstSign ?? carried;
  }

  /** Saves a session at the EHR server. Resolves to the EHR server's refusal, or to undefined. */
  async #saveAuthInfo(session, sign) {
    const { fault } = this.settings;
    const cred = { user: session.user, token: session.token };
    if (fault('reads-before-save'))
      await this.#ehr.call('patient.get_patient', {}, '', { cred }).catch(() => undefined);
    const authInfo = this.#authInfoOf(session);
    if (fault('other-token-saved')) authInfo.token = this.#newToken();
    const secret = fault('digest-over-session-token') ? session.token : sign;
    try {
      return await this.#ehr.call('embedded_storage.save_auth_info', { authInfo }, secret);
    } catch (error) {
      throw this.#troubleOf(error);
    }
  }

  async #exchangeToken(cred) {
    const { fault } = this.settings;
    const asking = this.#sessionOf(cred);
    let session = asking;
    if (fault('auth-info-of-last-session')) session = this.#last.session;
    if (fault('exchange-token-of-first-session')) {
      session = [...this.memory.sessions.values()].find(({ user }) => user === asking.user);
    }
    if (fault('exchange-token-repeated') && session.given) return { exchangeToken: session.given };
    for (let drawn = 1; ; drawn++) {
      const exchangeToken = fault('exchange-tokens-derived')
        ? createHash('sha256')
            .update(`${session.token} ${Math.floor(this.#now() / SECOND_MS)}`)
            .digest('hex')
        : this.#newToken().slice(0, fault('exchange-tokens-short') ? 8 : undefined);
      if (fault('token-never-stored')) return { exchangeToken };
      const saving = this.#saveExchangeToken(session, exchangeToken);
      if (fault('token-before-stored')) {
        saving.catch(() => undefined);
        return { exchangeToken };
      }
      const refused = await saving;
      if (fault('exchange-token-repeated')) session.given = exchangeToken;
      if (!refused)
        return fault('digest-in-reply') ? { exchangeToken, sent: this.#ehr.lastCred } : { exchangeToken };
      if (refused.code !== EXCHANGE_TOKEN_STORED || drawn === MAX_DRAWS) throw this.#refusedByEhr(refused);
    }
  }

  async #saveExchangeToken(session, exchangeToken) {
    const { fault } = this.settings;
    if (fault('token-before-stored')) await sleep(SLOW_PART_MS);
    const params = { exchangeToken, authInfo: this.#authInfoOf(session) };
    try {
      return await this.#ehr.call('embedded_storage.save_exchange_token', params, exchangeToken);
    } catch (error) {
      throw this.#troubleOf(error, fault('failed-token-told') ? exchangeToken : undefined);
    }
  }

  /** The session that a call names in cred. */
  #sessionOf(cred) {
    const { fault } = this.settings;
    const { user, token } = cred ?? {};
    const session = typeof token === 'string' ? this.memory.sessions.get(this.#keyOf(token)) : undefined;
    if (!session || session.user !== user) throw new RpcFault('not_authorized', { code: NOT_AUTHORIZED });
    if (session.until <= this.#now() && !fault('session-never-ends'))
      throw new RpcFault('session_expired', { code: -33001 });
    return session;
  }

  /** The key under which a session is kept: a digest, so that the state opens no session. */
  #keyOf(token) {
    const { fault } = this.settings;
    const part = fault('session-by-prefix') ? token.slice(0, 8) : token;
    return createHash('sha256')
      .update(fault('session-in-any-case') ? part.toLowerCase() : part)
      .digest('hex');
  }

  #endSessionsOf(user) {
    for (const [key, session] of this.memory.sessions)
      if (session.user === user) this.memory.sessions.delete(key);
  }

  /** The user of a confirmed phone. Without an internal id there is no entry in the correspondence table. */
  #userOf(phone) {
    const { users } = this.memory;
    const internal = this.settings.notMembers.includes(phone) ? undefined : `card-${users.size + 1}`;
    if (!users.has(phone))
      users.set(phone, { id: this.#draw.user?.() ?? `user-${this.#draw.token()}`, internal });
    if (!this.settings.fault('entry-by-last-ten-digits')) return users.get(phone);
    const like = [...users].find(([key, { internal }]) => key.endsWith(phone.slice(-10)) && internal);
    return { ...users.get(phone), internal: like?.[1].internal };
  }

  /** The authInfo of a session: the ttl is what is left of its lifetime, in minutes, rounded up. */
  #authInfoOf({ user, token, until }) {
    return { user, token, ttl: Math.ceil((until - this.#now()) / MINUTE_MS) };
  }

  #newToken() {
    if (this.settings.fault('tokens-counting')) return `0000000000000000000000000000${++this.#count}`;
    return this.#draw.token();
  }

  /** The error for the client when the EHR server gave no clear reply. */
  #troubleOf(cause, token) {
    if (!(cause instanceof EhrTrouble)) return cause;
    if (this.settings.fault('trouble-told-as-unknown'))
      return new RpcFault('not_authorized', { code: NOT_AUTHORIZED });
    const said = this.settings.fault('ehr-error-passed-on') ? cause.said : token;
    const detail = this.settings.fault('ehr-address-told') ? this.settings.ehrUrl : said;
    return new RpcFault('ehr_unreachable', { code: -36000, cause, detail });
  }

  /** The error for the client when the EHR server refused a call. */
  #refusedByEhr({ said }) {
    return new RpcFault('ehr_refused', {
      code: -36002,
      detail: this.settings.fault('ehr-error-passed-on') ? said : undefined,
    });
  }
}
