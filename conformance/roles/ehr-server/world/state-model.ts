/** A model of a right EHR server: how the state table of §3 answers each step. */
import { EXCHANGE_TOKEN_LIFETIME_MS, FAILED_MATCH_WINDOW_MS } from '#protocol/limits.ts';
import type { Reason } from '#protocol/wire/errors.ts';

export type Outcome = 'ok' | Reason;

type SessionOwner = { user: string; token: string };
type Announced = SessionOwner & { ttl: number /* minutes */ };

type Announcement = Announced & { kind: 'saveExchangeToken'; exchangeToken: string; rightDigest: boolean };
type Authentication = { kind: 'authenticate'; exchangeToken: string; patient: string | undefined };
type Save = Announced & { kind: 'saveAuthInfo'; signOf: string };
type OfSession = SessionOwner & { kind: 'getPatient' | 'removeAuthInfo' | 'removeAuthentication' };

/** One call, or a clock jump of `ms` milliseconds. Names such as u1 and t2 are the model's own. */
export type Step = Announcement | Authentication | Save | OfSession | { kind: 'advance'; ms: number };

/** `mayBeEnded`: whether a newer session or a logout elsewhere ends this one is a policy of the server. */
type ModelSession = {
  user: string;
  expiresAt: number;
  recorded: boolean;
  ended: boolean;
  mayBeEnded: boolean;
};
/** `used`: it opened a session. `mayBeEnded`: the user logged out or disconnected since it was saved. */
type ExchangeToken = Announced & { expiresAt: number; failures: number; used: boolean; mayBeEnded: boolean };
/** Every match fails with the phone of one stranger. */
type FailedMatch = { user: string; at: number };

const MINUTE_MS = 60_000;
/** A server may have any limit of failed matches an hour from this one on. */
const MIN_LIMIT = 9;
/** A server may have any limit of failed matches with one exchange token from this one on. */
const MIN_FAILURES = 2;

export class StateModel {
  now = 0; // milliseconds since the start of the model
  readonly links = new Map<string, string>();
  readonly sessions = new Map<string, ModelSession>();
  readonly exchangeTokens = new Map<string, ExchangeToken>();
  readonly #failures: FailedMatch[] = [];

  /** Tells whether the state table leaves the answer to a step open: such a step shows nothing. */
  isOpen(step: Step): boolean {
    switch (step.kind) {
      case 'saveExchangeToken':
        return step.rightDigest && this.#isOpenAnnouncement(step);
      case 'authenticate':
        return this.#isOpenAuthentication(step);
      case 'saveAuthInfo':
        return this.#isRightlySigned(step) && this.#isOpenSave(step);
      case 'advance':
        return false;
      default:
        return this.#isOwned(step) && this.#alive(step.token) && this.#mayBeEnded(step.token);
    }
  }

  /** Tells whether either answer to a step is right, because the state after it is the same. */
  isReplyOpen(step: Step): boolean {
    if (step.kind === 'saveAuthInfo') {
      const stored = this.sessions.get(step.token);
      const isFirst = stored?.user === step.user && !stored.recorded && this.#alive(step.token);
      return isFirst && this.#isRightlySigned(step);
    }
    const isRemoval = step.kind === 'removeAuthInfo' || step.kind === 'removeAuthentication';
    return isRemoval && this.#refusalOfSession(step) !== undefined;
  }

  /** Tells whether a refused step may have several reasons: its session may be ended, or expired. */
  isReasonOpen(step: Step): boolean {
    return 'token' in step && this.#mayBeEnded(step.token);
  }

  /** Tells whether a low hourly limit of failed matches, of a user or a phone, may refuse the step. */
  mayBeLimited(step: Step): boolean {
    if (step.kind !== 'authenticate') return false;
    const pending = this.exchangeTokens.get(step.exchangeToken);
    if (!pending) return false;
    const recent = this.#failures.filter(({ at }) => at > this.now - FAILED_MATCH_WINDOW_MS);
    const ofUser = recent.filter(({ user }) => user === pending.user);
    const isOfStranger = step.patient === undefined;
    return (isOfStranger ? recent : ofUser).length >= MIN_LIMIT;
  }

  /** Executes a step that is not open, and returns what the server must answer. */
  take(step: Step): Outcome {
    switch (step.kind) {
      case 'advance':
        this.now += step.ms;
        return 'ok';
      case 'saveExchangeToken':
        return this.#saveExchangeToken(step);
      case 'authenticate':
        return this.#authenticate(step);
      case 'saveAuthInfo':
        return this.#saveAuthInfo(step);
      case 'getPatient':
        return this.#refusalOfSession(step) ?? 'ok';
      case 'removeAuthInfo':
        return this.#refusalOfSession(step) ?? this.#end(step);
      case 'removeAuthentication':
        return this.#refusalOfSession(step) ?? this.#disconnect(step.user);
    }
  }

  /** Whether a server may save an exchange token twice, or for a token of another session, is open. */
  #isOpenAnnouncement({ exchangeToken, user, token }: Announcement): boolean {
    const isKnown = this.exchangeTokens.has(exchangeToken) || this.sessions.has(token);
    return isKnown || this.#isAnnouncedForOther(token, user);
  }

  #isOpenAuthentication({ exchangeToken, patient }: Authentication): boolean {
    const pending = this.exchangeTokens.get(exchangeToken);
    if (!pending || pending.used) return false;
    const { user, token } = pending;
    // The end of a session may end what was announced for it, and for its user.
    if (pending.mayBeEnded || this.#mayBeEnded(token)) return true;
    if (this.now >= pending.expiresAt) return false;
    // A server may limit the tries with one exchange token, and take only the newest one of a session.
    if (pending.failures >= MIN_FAILURES || this.#hasNewer(exchangeToken, pending)) return true;
    const session = this.sessions.get(token);
    // A server may refuse a session that is open already, or authenticate in it once more.
    if (session?.user === user && this.#alive(token)) return true;
    // From here on a stranger, and a token that was stored before, are refused by every server.
    if (patient === undefined || session) return false;
    // A server may keep the link of another user to the patient, or that of this user to another patient.
    const linked = this.links.get(user);
    const isTaken = [...this.links].some(([other, one]) => other !== user && one === patient);
    return isTaken || (linked !== undefined && linked !== patient);
  }

  #isOpenSave({ token }: Save): boolean {
    if (this.sessions.has(token)) return this.#mayBeEnded(token);
    // A server may end what a user has announced when another session of the user opens.
    return [...this.exchangeTokens.values()].some((one) => one.token === token);
  }

  #isRightlySigned({ user, signOf }: Save): boolean {
    return this.links.has(user) && signOf === user;
  }

  #saveExchangeToken({ exchangeToken, user, token, ttl, rightDigest }: Announcement): Outcome {
    if (!rightDigest) return 'not_authorized';
    const expiresAt = this.now + EXCHANGE_TOKEN_LIFETIME_MS;
    const unused = { failures: 0, used: false, mayBeEnded: false };
    this.exchangeTokens.set(exchangeToken, { user, token, ttl, expiresAt, ...unused });
    return 'ok';
  }

  #authenticate({ exchangeToken, patient }: Authentication): Outcome {
    const pending = this.exchangeTokens.get(exchangeToken);
    if (!pending || pending.used) return 'exchange_token_unknown';
    if (this.now >= pending.expiresAt) return 'exchange_token_expired';
    if (patient === undefined) {
      pending.failures++;
      this.#failures.push({ user: pending.user, at: this.now });
      return 'patient_not_matched';
    }
    if (this.sessions.has(pending.token)) return 'token_already_stored';
    this.links.set(pending.user, patient);
    pending.used = true;
    return this.#open(pending, false);
  }

  #saveAuthInfo(step: Save): Outcome {
    const { user, token } = step;
    if (!this.links.has(user)) return 'user_unknown';
    if (!this.#isRightlySigned(step)) return 'not_authorized';
    const stored = this.sessions.get(token);
    if (!stored) return this.#open(step, true);
    if (stored.recorded || stored.user !== user || !this.#alive(token)) return 'token_already_stored';
    stored.recorded = true;
    return 'ok';
  }

  #open({ user, token, ttl }: Announced, recorded: boolean): Outcome {
    this.#doubtSessionsOf(user);
    const expiresAt = this.now + ttl * MINUTE_MS;
    this.sessions.set(token, { user, expiresAt, recorded, ended: false, mayBeEnded: false });
    return 'ok';
  }

  #refusalOfSession({ user, token }: SessionOwner): Reason | undefined {
    const session = this.sessions.get(token);
    if (!session || session.ended || session.user !== user) return 'not_authorized';
    return this.now >= session.expiresAt ? 'session_expired' : undefined;
  }

  #end({ user, token }: SessionOwner): Outcome {
    this.#doubtSessionsOf(user);
    this.#doubtPendingOf(user);
    (this.sessions.get(token) as ModelSession).ended = true;
    return 'ok';
  }

  #disconnect(user: string): Outcome {
    this.links.delete(user);
    this.#doubtPendingOf(user);
    for (const session of this.sessions.values()) if (session.user === user) session.ended = true;
    return 'ok';
  }

  #doubtSessionsOf(user: string): void {
    for (const session of this.sessions.values()) if (session.user === user) session.mayBeEnded = true;
  }

  #doubtPendingOf(user: string): void {
    for (const pending of this.exchangeTokens.values()) if (pending.user === user) pending.mayBeEnded = true;
  }

  #isAnnouncedForOther(token: string, user: string): boolean {
    return [...this.exchangeTokens.values()].some((one) => one.token === token && one.user !== user);
  }

  #hasNewer(exchangeToken: string, { user, token }: ExchangeToken): boolean {
    const names = [...this.exchangeTokens].filter(([, one]) => one.user === user && one.token === token);
    return names.at(-1)?.[0] !== exchangeToken;
  }

  #isOwned({ user, token }: SessionOwner): boolean {
    return this.sessions.get(token)?.user === user;
  }

  #mayBeEnded(token: string): boolean {
    const session = this.sessions.get(token);
    return session !== undefined && (session.ended || session.mayBeEnded);
  }

  #alive(token: string): boolean {
    const session = this.sessions.get(token);
    return session !== undefined && !session.ended && this.now < session.expiresAt;
  }
}
