/**
 * What a scenario can do with the EHR server under test besides calling it: borrow patients, link users, let
 * time pass, restart it.
 */

import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import type { KnownPerson } from '../settings.ts';
import { recordIn } from './answer.ts';
import { type Called, type CallOptions, Calls } from './calls.ts';
import { heldWords, Leftovers } from './leftovers.ts';
import type { AuthInfo } from './messages.ts';
import { propertiesOf } from './patients.ts';
import { signOf } from './played.ts';

/** A user who is linked to a patient, with a session that is alive. */
export type Linked = {
  person: KnownPerson;
  session: AuthInfo;
  userSign: string;
  /** The exchange token of the link, which is used up. */
  exchangeToken: string;
  /** The id of the patient's record. */
  recordId: string;
};

/** A link that this scenario made, for its end. */
type MadeLink = { session: AuthInfo; person: KnownPerson | undefined; userSign: string | undefined };

/** An exchange token that waits for its user. */
export type Pending = { person: KnownPerson; session: AuthInfo; exchangeToken: string };

/** For whom an exchange token is saved: a new user, and a patient who is free, unless given. */
type Whose = { person?: KnownPerson; session?: AuthInfo };

/** @typeParam L the labels of the scenario's steps, by which its check finds them */
export class EhrWorld<L extends string = string> extends Calls<L> {
  readonly #lent: KnownPerson[] = [];
  readonly #linked = new Map<string, MadeLink>();
  readonly #leftovers = new Leftovers();
  #setUps = 0;

  /** Authenticates as the patient of the exchange token, or by other properties. */
  async authenticate(
    label: L,
    { exchangeToken, session, person }: Omit<Pending, 'person'> & { person?: KnownPerson },
    options: CallOptions & { properties?: Record<string, unknown> } = {},
  ): Promise<Called> {
    const patientProperties = options.properties ?? (person && propertiesOf(person));
    const called = await this.call(label, 'authenticate', { exchangeToken, patientProperties }, options);
    const { result } = called;
    this.#leftovers.note(result, person);
    if (result.kind === 'refused' && FAILED_MATCHES.includes(result.code))
      this.parts.patients.noteFailure(patientProperties?.phone);
    if (result.kind === 'done') this.#linked.set(session.user, { session, person, userSign: signOf(called) });
    return called;
  }

  /** Lends a patient to this scenario. @throws ScenarioStopped when the file names nobody who fits */
  async patient(
    fits?: (person: KnownPerson) => boolean,
    lacking = 'patient who is free',
  ): Promise<KnownPerson> {
    const person = await this.parts.patients.take(fits);
    const since = person ? undefined : this.parts.patients.heldSince(fits);
    if (since !== undefined) throw new ScenarioStopped(heldWords(since), 'EHR server');
    if (!person) throw new NotPlayable(`the file names no ${lacking}`);
    this.#lent.push(person);
    return person;
  }

  /** Lends a patient who fits, where the file names such; anybody where it does not. */
  preferably(fits: (person: KnownPerson) => boolean): Promise<KnownPerson> {
    return this.patient(this.settings.people.matching.some(fits) ? fits : undefined);
  }

  /** @throws NotPlayable for this reason, unless it is so */
  needs(isSo: boolean, otherwise: string): void {
    if (!isSo) throw new NotPlayable(otherwise);
  }

  /** @throws NotPlayable where one endpoint serves both channels */
  needsInternalEndpoint(): void {
    this.needs(this.settings.internalUrl !== undefined, 'one endpoint serves both channels');
  }

  /**
   * @throws NotPlayable where so many more failed matches are too many for an hour, and
   * the clock cannot be moved
   */
  needsAttempts(person: KnownPerson, count: number): void {
    const { canAdvance, patients } = this.parts;
    this.needs(
      canAdvance || patients.failuresOf(person) + count <= MAX_FAILURES_OF_PHONE,
      'it needs more failed matches than an hour allows; name more patients, or move the clock',
    );
  }

  /** Invents a session of a user who can link this patient: a new user, unless the server holds one. */
  sessionFor(person: KnownPerson): AuthInfo {
    return this.session(this.parts.patients.holderOf(person));
  }

  /** Another session of a user, and the patient whom they link. */
  again({ person, session }: Pick<Pending, 'person' | 'session'>): Pick<Pending, 'person' | 'session'> {
    return { person, session: this.session(session.user) };
  }

  /** Set-up: an exchange token, saved and waiting. */
  async pending({ person: given, session }: Whose = {}): Promise<Pending> {
    const person = given ?? (await this.patient());
    const whose = session ?? this.sessionFor(person);
    const exchangeToken = this.invented('exchange-token');
    await this.mustSucceed('save an exchange token', (label) =>
      this.saveExchangeToken(label, exchangeToken, whose),
    );
    return { person, session: whose, exchangeToken };
  }

  /** Authenticates with an exchange token that the set-up saves for it. */
  async signIn(label: L, whose: Whose = {}, options: Parameters<typeof this.authenticate>[2] = {}) {
    const pending = await this.pending(whose);
    return { ...pending, ...(await this.authenticate(label, pending, options)) };
  }

  /** Set-up: a user, linked to a patient by an exchange token, whose session is recorded. */
  async linked(whose: Whose = {}): Promise<Linked> {
    const pending = await this.pending(whose);
    const { session } = pending;
    const { userSign, recordId } = await this.link(pending);
    await this.mustSucceed('record the session', (label) => this.saveAuthInfo(label, session, userSign));
    return { ...pending, userSign, recordId };
  }

  /** Set-up: authenticates with a pending exchange token. */
  async link(pending: Pending): Promise<{ userSign: string; recordId: string }> {
    const called = await this.mustSucceed('authenticate', (label) => this.authenticate(label, pending));
    const userSign = signOf(called);
    if (userSign === undefined) throw new ScenarioStopped('authenticate gave no user_sign', 'EHR server');
    return { userSign, recordId: String(recordIn(called.reply).id ?? '') };
  }

  /** Set-up: saves a session of a linked user: another one of an hour, unless given. */
  async saved(linked: Pick<Linked, 'session' | 'userSign'>, more: Partial<AuthInfo> = {}): Promise<AuthInfo> {
    const session = { ...this.session(linked.session.user), ...more };
    await this.mustSucceed('save a session', (label) => this.saveAuthInfo(label, session, linked.userSign));
    return session;
  }

  /** Set-up: ends the link of a user. */
  async disconnected({ session }: Pick<Linked, 'session'>): Promise<void> {
    await this.mustSucceed('disconnect', (label) => this.removeAuthentication(label, session));
  }

  /** Performs a step that prepares the others. @throws ScenarioStopped when it is not done */
  async mustSucceed(what: string, act: (label: L) => Promise<Called>): Promise<Called> {
    const label = `set-up ${++this.#setUps}: ${what}`;
    const called = await act(label as L);
    if (called.result.kind === 'done') return called;
    const because = `the step "${label}" ought to succeed and did not (${describe(called.result)})`;
    throw new ScenarioStopped(because, 'EHR server');
  }

  /** Lets time pass for the server. @throws NotPlayable where its clock cannot be moved */
  async advance(minutes: number, seconds = 0): Promise<void> {
    await this.parts.advance((minutes * 60 + seconds) * 1_000);
  }

  /** The same world, whose calls are not kept in the journal. */
  unrecorded(): EhrWorld {
    const { user, password } = this.settings.internal;
    const recorder = new Recorder(this.parts.clock, new Knowledge(user, password, new Map()));
    recorder.stop();
    return new EhrWorld({ ...this.parts, recorder }, this.scenario);
  }

  /** Removes the links of this scenario's users, and keeps its patients. */
  async unlinkAll(keeping?: string): Promise<void> {
    for (const [user, link] of this.#linked) {
      if (user === keeping) continue;
      await this.#unlink(link);
      this.#linked.delete(user);
    }
  }

  /** Takes patients out of service whom an earlier scenario left linked. Returns whether there are any. */
  holdLinked(): boolean {
    return this.#leftovers.hold(this.#lent, this.parts, this.scenario);
  }

  /** Removes the links of this scenario's users, gives its patients back, and notes what its replies told. */
  async end(): Promise<void> {
    await this.release();
    const { searched, told } = this.parts.belongings.taken(this.scenario);
    this.observe(REPLIES_SEARCHED as L, { searched, told: told?.what ?? '', step: told?.label ?? '' });
  }

  /**
   * Removes the links so far, and gives the patients back, between the rounds of a scenario.
   * @param keeping a user whose link stays
   */
  async release(keeping?: string): Promise<void> {
    await this.unlinkAll(keeping);
    const kept = keeping === undefined ? 0 : 1;
    for (const person of this.#lent.splice(kept)) this.parts.patients.giveBack(person, this.scenario);
  }

  /** Removes a link by its own session, or by a new one where that has ended or the link is still there. */
  async #unlink({ session, person, userSign }: MadeLink): Promise<void> {
    const label = 'clean-up' as L;
    const save = async (next: AuthInfo) =>
      userSign !== undefined && (await this.saveAuthInfo(label, next, userSign)).result.kind === 'done';
    await this.removeAuthentication(label, session);
    const next = this.session(session.user);
    if (!(await save(next))) return;
    await this.removeAuthentication(label, next);
    if (person && (await save(this.session(session.user)))) this.parts.patients.keepFor(person, session.user);
  }
}

/** Codes of attempts that found nobody, or a patient who cannot be linked. */
const FAILED_MATCHES: readonly (string | undefined)[] = ['-34000', '-34001', '-34009'];

/** Below the 20 failed matches of a phone that an hour allows (decision 37), with room for others. */
const MAX_FAILURES_OF_PHONE = 14;

/** The label under which the journal keeps how many replies were searched for what belongs to others. */
export const REPLIES_SEARCHED = 'replies searched';

/** The scenario cannot be played with what the file offers. */
export class NotPlayable extends Error {}
