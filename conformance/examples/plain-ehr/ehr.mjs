/** The six methods of the EHR server (§4), and what they keep: links, sessions and exchange tokens (§3). */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject, isText, need, Refusal } from './json-rpc.mjs';
import { indexPatient, readSearch } from './matching.mjs';

const MINUTE_MS = 60_000;
const MAX_TTL_MINUTES = 10 * 365.25 * 24 * 60;
const MAX_PENDING_PER_SESSION = 5;
const MAX_FAILURES_PER_EXCHANGE_TOKEN = 5;
const MAX_FAILURES_PER_HOUR = 20;

/** Each method: the function that runs it, the channel it is served on (§1), and its cred (§5). */
const METHODS = {
  'embedded_storage.save_auth_info': ['saveAuthInfo', 'internal', 'digest'],
  'embedded_storage.save_exchange_token': ['saveExchangeToken', 'internal', 'digest'],
  'embedded_storage.authenticate': ['authenticate', 'public'],
  'patient.get_patient': ['getPatient', 'public', 'session'],
  'embedded_storage.remove_auth_info': ['removeAuthInfo', 'public', 'session'],
  'embedded_storage.remove_authentication': ['removeAuthentication', 'public', 'session'],
};

const newSecret = () => randomBytes(32).toString('base64url');

/** Clients of the field read `userSign`, the interface says `user_sign`. */
const recordOf = ({ patient, userSign }) => ({ patient, user_sign: userSign, userSign });

export class Ehr {
  /** Takes records in the form of the interface, the credentials of the authorization server, and a clock. */
  constructor(patients, internal, now) {
    Object.assign(this, { patients: patients.map(indexPatient), internal, now });
    this.exchangeTokenLifetimeMs = 10 * MINUTE_MS;
    this.reset();
  }

  /** Forgets everything but the patients. */
  reset() {
    this.links = new Map(); // user -> { patient, userSign }: the correspondence table (§1 rule 6)
    this.sessions = new Map(); // token -> session; ended ones stay: one token makes one session (§8)
    this.exchangeTokens = new Map(); // token -> { authInfo, expiresAt, failures, isEnded }, oldest first
    this.failedMatches = []; // { user, phone, at }
  }

  /** Carries out a call. The order of the checks shows: method, channel, shape of cred, params, cred. */
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

  /** §4.1: stores the session of a user who is linked, or records the one that `authenticate` stored. */
  saveAuthInfo({ authInfo }, cred) {
    checkAuthInfo(authInfo);
    this.verifyDigest(cred, this.links.get(authInfo.user)?.userSign);
    const stored = this.sessions.get(authInfo.token);
    if (!stored) return { id: this.openSession(authInfo, true).id };
    // After authenticate the authorization server saves the session (§1 rule 6): that is no repetition yet.
    const isExpected = this.isAlive(stored) && stored.user === authInfo.user && !stored.isRecorded;
    if (!isExpected) throw new Refusal('token_already_stored');
    stored.isRecorded = true;
    return { id: stored.id };
  }

  /** §4.2: remembers an exchange token and its session for ten minutes. Of a session the newest five work. */
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

  /** §4.3: links the user of the exchange token, whomever the client names, to the one patient who fits. */
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
    // A user who is linked already keeps the signature; a new link gets one of 256 bits (§1 rule 9).
    if (!this.links.has(authInfo.user))
      this.links.set(authInfo.user, { patient: found[0], userSign: newSecret() });
    if (!this.isAlive(this.sessions.get(authInfo.token))) this.openSession(authInfo, false);
    return recordOf(this.links.get(authInfo.user));
  }

  /** §4.4: the record, and the signature that the next sign-in needs. */
  getPatient(_params, cred) {
    return recordOf(this.links.get(this.findSession(cred).user));
  }

  /** §4.5, logout: ends this session and its pending exchange tokens. The link stays. */
  removeAuthInfo(_params, cred) {
    const session = this.findSession(cred);
    for (const each of [session, ...this.pendingOf(session.user, cred.token)]) each.isEnded = true;
    return {};
  }

  /** §4.6, disconnect: ends the link with its signature, and all sessions of the user, on every device. */
  removeAuthentication(_params, cred) {
    const { user } = this.findSession(cred);
    const sessions = [...this.sessions.values()].filter((session) => session.user === user);
    for (const each of [...sessions, ...this.pendingOf(user)]) each.isEnded = true;
    this.links.delete(user);
    return {};
  }

  /** §5: over the password and a secret: the user_sign (§5.1), or the exchange token (§5.2). */
  verifyDigest({ user, token }, secret) {
    if (user !== this.internal.user) throw new Refusal('not_authorized');
    if (secret === undefined) throw new Refusal('user_unknown');
    const digest = createHash('sha1').update(`${this.internal.password}${secret}`, 'utf8').digest('hex');
    if (!timingSafeEqual(Buffer.from(digest), Buffer.from(token))) throw new Refusal('not_authorized');
  }

  /** §5.4: the live session of exactly this user and token. */
  findSession({ user, token }) {
    const session = this.sessions.get(token);
    if (!session || session.isEnded || session.user !== user) throw new Refusal('not_authorized');
    if (!this.isAlive(session)) throw new Refusal('session_expired');
    return session;
  }

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

  isAlive(row) {
    return row !== undefined && !row.isEnded && this.now() < row.expiresAt;
  }

  /** The exchange tokens that still work, of one session or of all sessions of a user. */
  pendingOf(user, token) {
    const isMeant = ({ authInfo }) => authInfo.user === user && [undefined, authInfo.token].includes(token);
    return [...this.exchangeTokens.values()].filter((one) => isMeant(one) && this.isAlive(one));
  }

  /** A stored token opens no second session (§2.3). Only a live session of the same user may stay. */
  refuseTaken({ user, token }) {
    const stored = this.sessions.get(token);
    const isFree = !stored || stored.isEnded || (stored.user === user && this.isAlive(stored));
    if (!isFree) throw new Refusal('token_already_stored');
  }

  /** Guesses are limited by user and by phone, however many exchange tokens take part. */
  refuseGuessing(guess) {
    this.failedMatches = this.failedMatches.filter(({ at }) => this.now() < at + 60 * MINUTE_MS);
    const count = (member) => this.failedMatches.filter((one) => one[member] === guess[member]).length;
    if (Math.max(count('user'), count('phone')) >= MAX_FAILURES_PER_HOUR)
      throw new Refusal('too_many_failed_matches');
  }

  countFailure(pending, phone) {
    pending.failures += 1;
    this.failedMatches.push({ user: pending.authInfo.user, phone, at: this.now() });
  }

  /** The reason why these patients cannot be linked to the user, if any. None and several are told alike. */
  whyNotLinked(found, user) {
    const [patient] = found;
    if (found.length !== 1) return 'patient_not_matched';
    if (![undefined, patient].includes(this.links.get(user)?.patient)) return 'patient_already_matched';
    const isTaken = [...this.links].some(([other, link]) => other !== user && link.patient === patient);
    return isTaken ? 'patient_already_linked' : undefined;
  }
}

/** §2.3 */
function checkAuthInfo(authInfo) {
  need(isObject(authInfo), 'authInfo is not an object.');
  const { user, token, ttl } = authInfo;
  need(isText(user) && isText(token), 'authInfo.user or authInfo.token is not a text.');
  need(
    Number.isInteger(ttl) && ttl >= 1 && ttl <= MAX_TTL_MINUTES,
    'authInfo.ttl is not a number of minutes.',
  );
}
