/** A model of a right EHR server: how the state table of §3, with its decisions, answers each step. */
import {
  DEFAULT_FAILED_MATCHES_PER_HOUR,
  EXCHANGE_TOKEN_LIFETIME_MS,
  FAILED_MATCH_WINDOW_MS,
  MAX_FAILED_MATCHES,
  MAX_PENDING_EXCHANGE_TOKENS,
} from '#protocol/limits.ts';
import type { Reason } from '#protocol/wire/errors.ts';

/** The right answer to a step: a success, or the reason of a refusal. */
export type Outcome = 'ok' | Reason;

/** A user, and the token of one of this user's sessions. */
type SessionOwner = { user: string; token: string };
type Announced = SessionOwner & { ttl: number /* minutes */ };

type Announcement = Announced & { kind: 'saveExchangeToken'; exchangeToken: string; rightDigest: boolean };
type Authentication = { kind: 'authenticate'; exchangeToken: string; patient: string | undefined };
type Save = Announced & { kind: 'saveAuthInfo'; signOf: string };

/** One call, or a clock jump of `ms` milliseconds. Names such as u1 and t2 are the model's own. */
export type Step =
  | Announcement
  | Authentication
  | Save
  | (SessionOwner & { kind: 'getPatient' | 'removeAuthInfo' | 'removeAuthentication' })
  | { kind: 'advance'; ms: number };

/** `recorded`: save_auth_info saved it. `ended`: a logout or disconnect ended it; its token stays taken. */
type ModelSession = { user: string; expiresAt: number; recorded: boolean; ended: boolean };
/** `failures` counts failed matches of any reason; `misses` those that found no patient. */
type ExchangeToken = Announced & { expiresAt: number; failures: number; misses: number; used: boolean };
/** A failed match of a user with a phone, at a time of the model in milliseconds. */
type FailedMatch = { user: string; phone: string; at: number };

const MINUTE_MS = 60_000;
/** A server may have any limit of failed matches an hour from this one on (decision 37). */
const MIN_LIMIT = 9;

/** Stands for the phone that all properties of nobody have. */
const NOBODYS_PHONE = 'anna';

export class StateModel {
  now = 0; // milliseconds since the start of the model
  /** The key is a user. `generation` numbers the links of the model: each link has its own signature. */
  readonly links = new Map<string, { patient: string; generation: number }>();
  readonly sessions = new Map<string, ModelSession>();
  readonly exchangeTokens = new Map<string, ExchangeToken>();
  readonly #failuresPerHour: number;
  readonly #failures: FailedMatch[] = [];
  #generation = 0;

  /** @param failuresPerHour maximum number of failed matches, as in the server's setting */
  constructor(failuresPerHour = DEFAULT_FAILED_MATCHES_PER_HOUR) {
    this.#failuresPerHour = failuresPerHour;
  }

  /** Returns another model in the same state. Steps on one do not change the other. */
  copy(): StateModel {
    const copy = new StateModel(this.#failuresPerHour);
    copy.now = this.now;
    copy.#generation = this.#generation;
    copy.#failures.push(...this.#failures);
    for (const [user, link] of this.links) copy.links.set(user, link);
    for (const [token, session] of this.sessions) copy.sessions.set(token, { ...session });
    for (const [token, pending] of this.exchangeTokens) copy.exchangeTokens.set(token, { ...pending });
    return copy;
  }

  /** Tells whether the interface leaves the answer to a step open: several refusals apply, say. */
  isAmbiguous(step: Step): boolean {
    if (step.kind === 'saveExchangeToken') return this.#isAmbiguousSave(step);
    if (step.kind !== 'authenticate') return false;
    const pending = this.exchangeTokens.get(step.exchangeToken);
    if (!pending || pending.used) return false;
    // No decision says whether the token of an ended session may open a session again.
    if (this.sessions.get(pending.token)?.ended) return true;
    const phone = step.patient ?? NOBODYS_PHONE;
    const ofToken = [
      this.#isOvertaken(step.exchangeToken, pending),
      this.now >= pending.expiresAt,
      pending.failures >= MAX_FAILED_MATCHES,
      this.#hasFailedTooOften(pending.user, phone),
    ];
    // A server need not count a refusal for a patient who fits as a failed match.
    const mayBeExhausted = pending.failures >= MAX_FAILED_MATCHES && pending.misses < MAX_FAILED_MATCHES;
    if (mayBeExhausted || ofToken.filter(Boolean).length > 1) return true;
    if (ofToken.includes(true) || step.patient === undefined) return false;
    const refused = [
      !this.#mayOpen(pending.token, pending.user),
      this.#hasOtherPatient(pending.user, step.patient),
      this.#isTaken(pending.user, step.patient),
    ];
    return refused.filter(Boolean).length > 1;
  }

  #isAmbiguousSave({ rightDigest, exchangeToken, user, token }: Announcement): boolean {
    if (this.sessions.get(token)?.ended) return true;
    if (!rightDigest || this.#mayOpen(token, user)) return false;
    // Where this user's session has expired, the server may refuse here, or at authenticate.
    return this.exchangeTokens.has(exchangeToken) || this.sessions.get(token)?.user === user;
  }

  /** Tells whether a server with a lower hourly limit of failed matches (decision 37) may refuse the step. */
  mayBeLimited(step: Step): boolean {
    if (step.kind !== 'authenticate') return false;
    const pending = this.exchangeTokens.get(step.exchangeToken);
    if (!pending) return false;
    return this.#failuresInAnHour(pending.user, step.patient ?? NOBODYS_PHONE) >= MIN_LIMIT;
  }

  /** Executes a step and returns what the server must answer. */
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

  #saveExchangeToken({ exchangeToken, user, token, ttl, rightDigest }: Announcement): Outcome {
    if (!rightDigest) return 'not_authorized';
    if (this.exchangeTokens.has(exchangeToken)) return 'exchange_token_already_stored';
    if (!this.#mayOpen(token, user)) return 'token_already_stored';
    const expiresAt = this.now + EXCHANGE_TOKEN_LIFETIME_MS;
    const unused = { failures: 0, misses: 0, used: false };
    this.exchangeTokens.set(exchangeToken, { user, token, ttl, expiresAt, ...unused });
    return 'ok';
  }

  #authenticate({ exchangeToken, patient }: Authentication): Outcome {
    const pending = this.exchangeTokens.get(exchangeToken);
    if (!pending || pending.used || this.#isOvertaken(exchangeToken, pending))
      return 'exchange_token_unknown';
    if (this.now >= pending.expiresAt) return 'exchange_token_expired';
    if (pending.failures >= MAX_FAILED_MATCHES) return 'exchange_token_exhausted';
    const phone = patient ?? NOBODYS_PHONE;
    if (this.#hasFailedTooOften(pending.user, phone)) return 'too_many_failed_matches';
    if (patient === undefined) return this.#fail(pending, phone, 'patient_not_matched');
    const { user, token } = pending;
    if (!this.#mayOpen(token, user)) return 'token_already_stored';
    const refusal = this.#refusalOfLink(user, patient);
    if (refusal) return this.#fail(pending, phone, refusal);
    if (!this.links.has(user)) this.links.set(user, { patient, generation: ++this.#generation });
    if (!this.#alive(token)) this.#open(pending, false);
    pending.used = true;
    return 'ok';
  }

  #refusalOfLink(user: string, patient: string): Reason | undefined {
    if (this.#hasOtherPatient(user, patient)) return 'patient_already_matched';
    return this.#isTaken(user, patient) ? 'patient_already_linked' : undefined;
  }

  #hasOtherPatient(user: string, patient: string): boolean {
    const link = this.links.get(user);
    return link !== undefined && link.patient !== patient;
  }

  #isTaken(user: string, patient: string): boolean {
    return [...this.links].some(([other, link]) => other !== user && link.patient === patient);
  }

  #saveAuthInfo({ user, token, ttl, signOf }: Save): Outcome {
    if (!this.links.has(user)) return 'user_unknown';
    if (signOf !== user) return 'not_authorized';
    const stored = this.sessions.get(token);
    if (!stored) return this.#open({ user, token, ttl }, true);
    if (stored.recorded || stored.user !== user || !this.#alive(token)) return 'token_already_stored';
    stored.recorded = true;
    return 'ok';
  }

  #open({ user, token, ttl }: Announced, recorded: boolean): Outcome {
    this.sessions.set(token, { user, expiresAt: this.now + ttl * MINUTE_MS, recorded, ended: false });
    return 'ok';
  }

  #refusalOfSession({ user, token }: SessionOwner): Reason | undefined {
    const session = this.sessions.get(token);
    if (!session || session.ended || session.user !== user) return 'not_authorized';
    return this.now >= session.expiresAt ? 'session_expired' : undefined;
  }

  #end({ user, token }: SessionOwner): Outcome {
    (this.sessions.get(token) as ModelSession).ended = true;
    for (const pending of this.#pendingOf(user)) if (pending.token === token) pending.used = true;
    return 'ok';
  }

  #disconnect(user: string): Outcome {
    this.links.delete(user);
    for (const session of this.sessions.values()) if (session.user === user) session.ended = true;
    for (const pending of this.#pendingOf(user)) pending.used = true;
    return 'ok';
  }

  #pendingOf(user: string): ExchangeToken[] {
    return [...this.exchangeTokens.values()].filter((pending) => pending.user === user);
  }

  /** Tells whether five newer exchange tokens of the same session were saved since. */
  #isOvertaken(exchangeToken: string, { user, token }: ExchangeToken): boolean {
    const names = [...this.exchangeTokens].filter(([, one]) => one.user === user && one.token === token);
    const newer = names.length - 1 - names.findIndex(([name]) => name === exchangeToken);
    return newer >= MAX_PENDING_EXCHANGE_TOKENS;
  }

  #hasFailedTooOften(user: string, phone: string): boolean {
    return this.#failuresInAnHour(user, phone) >= this.#failuresPerHour;
  }

  #failuresInAnHour(user: string, phone: string): number {
    const recent = this.#failures.filter(({ at }) => at > this.now - FAILED_MATCH_WINDOW_MS);
    const count = (name: 'user' | 'phone', value: string) =>
      recent.filter((one) => one[name] === value).length;
    return Math.max(count('user', user), count('phone', phone));
  }

  #fail(pending: ExchangeToken, phone: string, reason: Reason): Outcome {
    pending.failures++;
    if (reason === 'patient_not_matched') pending.misses++;
    this.#failures.push({ user: pending.user, phone, at: this.now });
    return reason;
  }

  #alive(token: string): boolean {
    const session = this.sessions.get(token);
    return session !== undefined && !session.ended && this.now < session.expiresAt;
  }

  /** Tells whether the session is free, ended, or a live session of the same user. */
  #mayOpen(token: string, user: string): boolean {
    const session = this.sessions.get(token);
    return !session || session.ended || (session.user === user && this.#alive(token));
  }
}
