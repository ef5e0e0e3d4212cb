/**
 * The six methods of the EHR server (§4), and what the server stores: links, sessions and exchange tokens
 * (§3).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject, isText, need, Refusal } from './json-rpc.mjs';
import { indexPatient, readSearch } from './matching.mjs';

const MINUTE_MS = 60_000;
/** Limits the lifetime of a session: ten years. */
const MAX_TTL_MINUTES = 10 * 365.25 * 24 * 60;
/** Limits the exchange tokens of a session that work at the same time. */
const MAX_PENDING_PER_SESSION = 5;
/** Limits the searches for a patient that may fail with one exchange token. */
const MAX_FAILURES_PER_EXCHANGE_TOKEN = 5;
/** Limits the searches that may fail in an hour, for one user and for one phone. */
const MAX_FAILURES_PER_HOUR = 20;

/**
 * Each method: the function that runs it, the channel on which it is served (§1), and the kind of its `cred`
 * (§5).
 */
const METHODS = {
  'embedded_storage.save_auth_info': ['saveAuthInfo', 'internal', 'digest'],
  'embedded_storage.save_exchange_token': ['saveExchangeToken', 'internal', 'digest'],
  'embedded_storage.authenticate': ['authenticate', 'public'],
  'patient.get_patient': ['getPatient', 'public', 'session'],
  'embedded_storage.remove_auth_info': ['removeAuthInfo', 'public', 'session'],
  'embedded_storage.remove_authentication': ['removeAuthentication', 'public', 'session'],
};

const newSecret = () => randomBytes(32).toString('base64url');

/**
 * The answer with a record. It has the signature under both names: the interface says `user_sign`, clients in
 * use read `userSign`.
 */
const recordOf = ({ patient, userSign }) => ({ patient, user_sign: userSign, userSign });

/** The EHR server without its transport. */
export class Ehr {
  /**
   * @param patients records in the form of the interface
   * @param internal user and password of the authorization server
   * @param now the clock, in milliseconds
   */
  constructor(patients, internal, now) {
    Object.assign(this, { patients: patients.map(indexPatient), internal, now });
    this.exchangeTokenLifetimeMs = 10 * MINUTE_MS;
    this.reset();
  }

  /** Forgets everything but the patients. */
  reset() {
    this.links = new Map(); // user -> { patient, userSign }: the correspondence table (§1 rule 6)
    this.sessions = new Map(); // token -> session; ended ones stay: a token opens one session only (§8)
    this.exchangeTokens = new Map(); // token -> { authInfo, expiresAt, failures, isEnded }, oldest first
    this.failedMatches = []; // { user, phone, at }
  }

  /**
   * Carries out a call. Of several mistakes in a call, the answer names the first in this order: method,
   * channel, form of `cred`, params, `cred`.
   * @param channel where the call came in: `public`, `internal`, or `both` when one endpoint serves all
   */
  execute({ method, params, cred }, channel) {
    const [run, own, kind] = Object.hasOwn(METHODS, method) ? METHODS[method] : [];
    if (!run) throw new Refusal('method_not_found');
    if (channel !== 'both' && channel !== own) throw new Refusal('access_forbidden');
    const isPair = isObject(cred) && isText(cred.user) && isText(cred.token);
    const isDigest = isPair && /^[0-9a-f]{40}$/.test(cred.token);
    if (kind && !(kind === 'session' ? isPair : isDigest)) throw new Refusal('not_authorized');
    need(!Array.isArray(params), 'params is not an object.');
    return this[run](params, cred);
  }

  /**
   * §4.1: stores the session of a user who is linked. When `authenticate` has stored the session already,
   * marks it as saved.
   */
  saveAuthInfo({ authInfo }, cred) {
    checkAuthInfo(authInfo);
    this.verifyDigest(cred, this.links.get(authInfo.user)?.userSign);
    const stored = this.sessions.get(authInfo.token);
    if (!stored) return { id: this.openSession(authInfo, true).id };
    // The first save after `authenticate` is part of the flow (§1 rule 6). Only the next one is a repetition.
    const isExpected = this.isAlive(stored) && stored.user === authInfo.user && !stored.isRecorded;
    if (!isExpected) throw new Refusal('token_already_stored');
    stored.isRecorded = true;
    return { id: stored.id };
  }

  /**
   * §4.2: stores an exchange token and its session for ten minutes. Only the newest five of a session work.
   */
  saveExchangeToken({ exchangeToken, authInfo }, cred) {
    need(isText(exchangeToken), 'exchangeToken is not a text.');
    checkAuthInfo(authInfo);
    this.verifyDigest(cred, exchangeToken);
    if (this.exchangeTokens.has(exchangeToken)) throw new Refusal('exchange_token_already_stored');
    this.refuseTaken(authInfo);
    const pending = this.pendingOf(authInfo.user, authInfo.token);
    if (pending.length >= MAX_PENDING_PER_SESSION) pending[0].isEnded = true;
    const expiresAt = this.now() + this.exchangeTokenLifetimeMs;
    this.exchangeTokens.set(exchangeToken, { authInfo, expiresAt, failures: 0, isEnded: false });
    return { id: newSecret() };
  }

  /**
   * §4.3: links the user of the exchange token to the one patient whom the form describes. Which user it is,
   * only the exchange token says.
   */
  authenticate({ exchangeToken, ...params }) {
    need(isText(exchangeToken), 'exchangeToken is not a text.');
    const { fits, phone } = readSearch(params);
    const pending = this.exchangeTokens.get(exchangeToken);
    if (!pending || pending.isEnded) throw new Refusal('exchange_token_unknown');
    if (this.now() >= pending.expiresAt) throw new Refusal('exchange_token_expired');
    if (pending.failures >= MAX_FAILURES_PER_EXCHANGE_TOKEN) throw new Refusal('exchange_token_exhausted');
    const { authInfo } = pending;
    this.refuseGuessing({ user: authInfo.user, phone });
    const found = this.patients.filter((one) => one.isLiving && fits(one)).map(({ patient }) => patient);
    const refusal = this.whyNotLinked(found, authInfo.user);
    if (refusal) this.countFailure(pending, phone);
    if (refusal) throw new Refusal(refusal);
    this.refuseTaken(authInfo);
    pending.isEnded = true;
    // A user who is linked already keeps the signature. A new link gets a new one, of 256 bits (§1 rule 9).
    if (!this.links.has(authInfo.user))
      this.links.set(authInfo.user, { patient: found[0], userSign: newSecret() });
    if (!this.isAlive(this.sessions.get(authInfo.token))) this.openSession(authInfo, false);
    return recordOf(this.links.get(authInfo.user));
  }

  /** §4.4: returns the record, and the signature that the next sign-in needs. */
  getPatient(_params, cred) {
    return recordOf(this.links.get(this.findSession(cred).user));
  }

  /** §4.5, logout: ends this session and its exchange tokens. The link stays. */
  removeAuthInfo(_params, cred) {
    const session = this.findSession(cred);
    for (const each of [session, ...this.pendingOf(session.user, cred.token)]) each.isEnded = true;
    return {};
  }

  /** §4.6, disconnect: ends the link with its signature, and all sessions of the user on every device. */
  removeAuthentication(_params, cred) {
    const { user } = this.findSession(cred);
    const sessions = [...this.sessions.values()].filter((session) => session.user === user);
    for (const each of [...sessions, ...this.pendingOf(user)]) each.isEnded = true;
    this.links.delete(user);
    return {};
  }

  /**
   * §5: checks the digest of the authorization server: SHA-1 of its password and a secret. The secret is the
   * signature of the user (§5.1) or the exchange token (§5.2).
   */
  verifyDigest({ user, token }, secret) {
    if (user !== this.internal.user) throw new Refusal('not_authorized');
    if (secret === undefined) throw new Refusal('user_unknown');
    const digest = createHash('sha1').update(`${this.internal.password}${secret}`, 'utf8').digest('hex');
    if (!timingSafeEqual(Buffer.from(digest), Buffer.from(token))) throw new Refusal('not_authorized');
  }

  /** §5.4: finds the session of exactly this user and token. It must not have ended or expired. */
  findSession({ user, token }) {
    const session = this.sessions.get(token);
    if (!session || session.isEnded || session.user !== user) throw new Refusal('not_authorized');
    if (!this.isAlive(session)) throw new Refusal('session_expired');
    return session;
  }

  /** Stores a session. `isRecorded` is whether the authorization server has saved it. */
  openSession({ user, token, ttl }, isRecorded) {
    const session = {
      id: newSecret(),
      user,
      expiresAt: this.now() + ttl * MINUTE_MS,
      isRecorded,
      isEnded: false,
    };
    this.sessions.set(token, session);
    return session;
  }

  /** Whether a session or an exchange token exists, and has neither ended nor expired. */
  isAlive(row) {
    return row !== undefined && !row.isEnded && this.now() < row.expiresAt;
  }

  /** The exchange tokens that still work: of one session, or without `token` of all sessions of a user. */
  pendingOf(user, token) {
    const isMeant = ({ authInfo }) => authInfo.user === user && [undefined, authInfo.token].includes(token);
    return [...this.exchangeTokens.values()].filter((one) => isMeant(one) && this.isAlive(one));
  }

  /** Refuses a token that opened another session before (§2.3). The same session may stay. */
  refuseTaken({ user, token }) {
    const stored = this.sessions.get(token);
    const isFree = !stored || stored.isEnded || (stored.user === user && this.isAlive(stored));
    if (!isFree) throw new Refusal('token_already_stored');
  }

  /**
   * Refuses a search when too many have failed for this user or this phone, with whatever exchange tokens.
   */
  refuseGuessing(guess) {
    this.failedMatches = this.failedMatches.filter(({ at }) => this.now() < at + 60 * MINUTE_MS);
    const count = (member) => this.failedMatches.filter((one) => one[member] === guess[member]).length;
    if (Math.max(count('user'), count('phone')) >= MAX_FAILURES_PER_HOUR)
      throw new Refusal('too_many_failed_matches');
  }

  /** Counts a search that failed, for the exchange token, the user and the phone. */
  countFailure(pending, phone) {
    pending.failures += 1;
    this.failedMatches.push({ user: pending.authInfo.user, phone, at: this.now() });
  }

  /**
   * The reason why these patients cannot be linked to the user; `undefined` when there is none. No patient
   * and several patients give the same reason, so that an answer does not tell them apart.
   */
  whyNotLinked(found, user) {
    const [patient] = found;
    if (found.length !== 1) return 'patient_not_matched';
    if (![undefined, patient].includes(this.links.get(user)?.patient)) return 'patient_already_matched';
    const isTaken = [...this.links].some(([other, link]) => other !== user && link.patient === patient);
    return isTaken ? 'patient_already_linked' : undefined;
  }
}

/** §2.3: refuses an `authInfo` that is not whole. */
function checkAuthInfo(authInfo) {
  need(isObject(authInfo), 'authInfo is not an object.');
  const { user, token, ttl } = authInfo;
  need(isText(user) && isText(token), 'authInfo.user or authInfo.token is not a text.');
  need(
    Number.isInteger(ttl) && ttl >= 1 && ttl <= MAX_TTL_MINUTES,
    'authInfo.ttl is not a number of minutes.',
  );
}
