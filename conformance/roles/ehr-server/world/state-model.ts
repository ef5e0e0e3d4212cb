/** A model of a right EHR server: how the state table of §3 answers each step. */
import { EXCHANGE_TOKEN_LIFETIME_MS, FAILED_MATCH_WINDOW_MS } from '#protocol/limits.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { codeOf } from '../flow.ts';
import type { KnownPerson } from '../settings.ts';
import type { Called } from './calls.ts';
import { type AuthInfo, type Cred, METHODS, signOf } from './messages.ts';
import { propertiesOf } from './patients.ts';
import type { EhrWorld } from './world.ts';

type Outcome = 'ok' | Reason;

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
type FailedMatch = { user: string; phone: string; at: number };

const MINUTE_MS = 60_000;
/** A server may have any limit of failed matches an hour from this one on. */
const MIN_LIMIT = 9;
/** A server may have any limit of failed matches with one exchange token from this one on. */
const MIN_FAILURES = 2;

const NOBODYS_PHONE = 'anna';

class StateModel {
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

  /** Tells whether a step leaves the same state, however it is answered. */
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

  /** Tells whether a server with a low hourly limit of failed matches may refuse the step. */
  mayBeLimited(step: Step): boolean {
    if (step.kind !== 'authenticate') return false;
    const pending = this.exchangeTokens.get(step.exchangeToken);
    if (!pending) return false;
    return this.#failuresInAnHour(pending.user, step.patient ?? NOBODYS_PHONE) >= MIN_LIMIT;
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
    if (pending.mayBeEnded || this.#mayBeEnded(token)) return true;
    if (this.now >= pending.expiresAt) return false;
    if (pending.failures >= MIN_FAILURES || this.#hasNewer(exchangeToken, pending)) return true;
    const session = this.sessions.get(token);
    if (session?.user === user && this.#alive(token)) return true;
    if (patient === undefined || session) return false;
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
      this.#failures.push({ user: pending.user, phone: NOBODYS_PHONE, at: this.now });
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

  #failuresInAnHour(user: string, phone: string): number {
    const recent = this.#failures.filter(({ at }) => at > this.now - FAILED_MATCH_WINDOW_MS);
    const count = (name: 'user' | 'phone', value: string) =>
      recent.filter((one) => one[name] === value).length;
    return Math.max(count('user', user), count('phone', phone));
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

/** `does`: it succeeds where it must be refused; `refuses`: the other way round. */
export type StepDifference = {
  step: Step;
  breaks: 'does' | 'refuses' | 'code';
  expected: string;
  actual: string;
};

const breaks = (expected: Outcome, actual: string): StepDifference['breaks'] => {
  if (actual === 'ok') return 'does';
  return expected === 'ok' ? 'refuses' : 'code';
};

export class Sequence {
  readonly #world: EhrWorld;
  readonly #people: readonly KnownPerson[];
  readonly #model = new StateModel();
  /** The keys of these three are names of the model, such as u1; the values are what the server is sent. */
  readonly #users = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  readonly #exchangeTokens = new Map<string, string>();
  /** The key is a user of the model; the value is the newest signature of the user. */
  readonly #signs = new Map<string, string>();
  #phone: string;
  #number = 0;

  /** @param people the patients whom the model calls p0, p1 and so on, in this order */
  constructor(world: EhrWorld, people: readonly KnownPerson[]) {
    this.#world = world;
    this.#people = people;
    this.#phone = world.strangersPhone();
  }

  /** Skips a step whose answer the interface leaves open. */
  async take(step: Step): Promise<StepDifference | undefined> {
    if (this.#model.isOpen(step) || this.#model.mayBeLimited(step)) return undefined;
    const isReplyOpen = this.#model.isReplyOpen(step);
    const isReasonOpen = this.#model.isReasonOpen(step);
    const expected = this.#model.take(step);
    if (step.kind === 'advance') {
      await this.#world.advance(0, step.ms / 1_000);
      return undefined;
    }
    const called = await this.#callOf(step)();
    const isRefused = called.result.kind === 'refused';
    if (isReplyOpen || (isReasonOpen && isRefused && expected !== 'ok')) return undefined;
    const actual = outcomeOf(called);
    if (actual !== (expected === 'ok' ? 'ok' : codeOf(expected)))
      return { step, breaks: breaks(expected, actual), expected: wordOf(expected), actual };
    this.#noteSign(step, called);
    return undefined;
  }

  #callOf(step: Exclude<Step, { kind: 'advance' }>): () => Promise<Called> {
    const world = this.#world;
    const label = `${++this.#number} ${describeStep(step)}`;
    switch (step.kind) {
      case 'saveExchangeToken': {
        const exchangeToken = this.#exchangeToken(step.exchangeToken);
        const secret = step.rightDigest ? exchangeToken : world.invented('exchange-token');
        return world.saveExchangeToken(label, exchangeToken, this.#authInfo(step), {
          cred: world.internalCred(secret),
        });
      }
      case 'authenticate': {
        const person = step.patient === undefined ? undefined : this.#people[Number(step.patient.slice(1))];
        const properties = person
          ? propertiesOf(person)
          : { ...world.strangersProperties(), phone: this.#phone };
        const owner = this.#model.exchangeTokens.get(step.exchangeToken);
        const session = owner ? this.#authInfo(owner) : world.session();
        const exchangeToken = this.#exchangeToken(step.exchangeToken);
        return world.authenticate(label, { exchangeToken, session }, { properties });
      }
      case 'saveAuthInfo': {
        const sign = this.#signs.get(step.signOf) ?? world.invented('user-sign');
        return world.saveAuthInfo(label, this.#authInfo(step), sign);
      }
      default:
        return world[step.kind](label, this.#pair(step));
    }
  }

  #noteSign(step: Step, called: Called): void {
    const [user, sign] = [this.#readerOf(step), signOf(called)];
    if (user !== undefined && sign !== undefined) this.#signs.set(user, sign);
  }

  #readerOf(step: Step): string | undefined {
    if (step.kind === 'getPatient') return step.user;
    if (step.kind !== 'authenticate') return undefined;
    return this.#model.exchangeTokens.get(step.exchangeToken)?.user;
  }

  #authInfo({ ttl, ...pair }: AuthInfo): AuthInfo {
    return { ...this.#pair(pair), ttl: this.#world.ttl(ttl) };
  }

  #pair({ user, token }: Cred): Cred {
    return {
      user: valueNamed(this.#users, user, () => this.#world.session().user),
      token: valueNamed(this.#tokens, token, () => this.#world.invented('session-token')),
    };
  }

  #exchangeToken(name: string): string {
    return valueNamed(this.#exchangeTokens, name, () => this.#world.invented('exchange-token'));
  }
}

/** Returns the value of a name of the model. The first use of the name invents the value. */
function valueNamed(values: Map<string, string>, name: string, make: () => string): string {
  const value = values.get(name) ?? make();
  values.set(name, value);
  return value;
}

function outcomeOf({ result }: Called): string {
  if (result.kind === 'done') return 'ok';
  if (result.kind === 'refused') return result.code ?? `HTTP ${result.status}`;
  return 'detail' in result ? result.detail : result.kind;
}

function wordOf(expected: Outcome): string {
  return expected === 'ok' ? 'ok' : `${codeOf(expected)} (${expected})`;
}

export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'advance':
      return `${Math.floor(step.ms / 60_000)} min pass`;
    case 'saveExchangeToken':
      return `save_exchange_token ${step.exchangeToken} for ${step.user}/${step.token}, ttl ${step.ttl}${step.rightDigest ? '' : ', wrong digest'}`;
    case 'authenticate':
      return `authenticate with ${step.exchangeToken} as ${step.patient ?? 'nobody'}`;
    case 'saveAuthInfo':
      return `save_auth_info ${step.user}/${step.token}, ttl ${step.ttl}${step.signOf === step.user ? '' : `, signature of ${step.signOf}`}`;
    default:
      return `${METHODS[step.kind].replace(/^.*\./, '')} ${step.user}/${step.token}`;
  }
}
