/**
 * What a scenario can do with the EHR server under test besides calling it: borrow patients, link users, let
 * time pass, restart it.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import type { KnownPerson } from '../settings.ts';
import { type AuthInfo, type Called, type CallOptions, Calls } from './calls.ts';
import { heldWords, Leftovers } from './leftovers.ts';
import { propertiesOf } from './patients.ts';

export type { AuthInfo, Called, CallOptions };

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

type Linking = { session: AuthInfo; person: KnownPerson | undefined; userSign: string | undefined };

/** An exchange token that waits for its user. */
export type Pending = { person: KnownPerson; session: AuthInfo; exchangeToken: string };

/** @typeParam L the labels of the scenario's steps, by which its check finds them */
export class EhrWorld<L extends string = string> extends Calls<L> {
  readonly #lent: KnownPerson[] = [];
  /** Users who were linked, for the end of the scenario. */
  readonly #linked = new Map<string, Linking>();
  readonly #leftovers = new Leftovers();
  #setUps = 0;

  override async authenticate(
    label: L,
    pending: Pick<Pending, 'exchangeToken' | 'session'> & { person?: KnownPerson },
    properties: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Called> {
    const called = await super.authenticate(label, pending, properties, options);
    const { session } = pending;
    const { result } = called;
    this.#leftovers.note(result, pending.person);
    if (result.kind === 'refused' && FAILED_MATCHES.includes(result.code))
      this.parts.patients.noteFailure(properties.phone);
    if (called.result.kind === 'done')
      this.#linked.set(session.user, {
        session,
        person: pending.person,
        userSign: signIn(called.result.values),
      });
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

  /** A person of the file who is never linked. @throws NotPlayable when the file names none */
  named(who: 'ambiguous' | 'inactive'): KnownPerson {
    const person = this.settings.people[who];
    if (!person) throw new NotPlayable(`the file names nobody as people.${who}`);
    return person;
  }

  /** @throws NotPlayable where one endpoint serves both channels */
  needInternalEndpoint(): void {
    if (this.settings.internalUrl === undefined) throw new NotPlayable('one endpoint serves both channels');
  }

  /** @throws NotPlayable where the server returns ids in another form */
  needReplyId(form: 'string' | 'echo'): void {
    if (this.settings.replyId !== form)
      throw new NotPlayable(`the file states replyId: ${this.settings.replyId}`);
  }

  /** @throws NotPlayable always */
  cannot(because: string): never {
    throw new NotPlayable(because);
  }

  /** @throws NotPlayable where no time can pass for the server: what is spent would stay so */
  needTime(): void {
    if (!this.parts.canWait)
      throw new NotPlayable('the clock of the server cannot be moved, and what is spent here lasts an hour');
  }

  /**
   * @throws NotPlayable where so many more failed matches are too many for an hour, and
   * the clock cannot be moved
   */
  needAttempts(person: KnownPerson, count: number): void {
    if (this.canAdvance || this.parts.patients.failuresOf(person) + count <= MAX_FAILURES_OF_PHONE) return;
    throw new NotPlayable(
      'it needs more failed matches than an hour allows; name more patients, or move the clock',
    );
  }

  /** @throws NotPlayable where the server counts its ttl in another unit */
  needUnit(unit: 'minutes' | 'seconds'): void {
    if (this.settings.ttlUnit !== unit)
      throw new NotPlayable(`the server counts its ttl in ${this.settings.ttlUnit}`);
  }

  /** Invents a session of a user who can link this patient: a new user, unless the server holds one. */
  sessionFor(person: KnownPerson): AuthInfo {
    return this.session(this.parts.patients.holderOf(person));
  }

  /** Set-up: a new user's exchange token, saved and waiting. */
  async pending(given: Partial<Pick<Pending, 'person' | 'session'>> = {}): Promise<Pending> {
    const own = given.person ?? (await this.patient());
    const session = given.session ?? this.sessionFor(own);
    const exchangeToken = this.invented('exchange-token');
    await this.mustSucceed('save an exchange token', (label) =>
      this.saveExchangeToken(label, exchangeToken, session),
    );
    return { person: own, session, exchangeToken };
  }

  /** Set-up: a new user, linked to a patient by an exchange token, whose session is recorded. */
  async linked(given: Partial<Pick<Pending, 'person' | 'session'>> = {}): Promise<Linked> {
    const pending = await this.pending(given);
    const { person, session } = pending;
    const { userSign, recordId } = await this.link(pending);
    await this.mustSucceed('record the session', (label) => this.saveAuthInfo(label, session, userSign));
    return { person, session, userSign, exchangeToken: pending.exchangeToken, recordId };
  }

  /** Set-up: authenticates with a pending exchange token. */
  async link(pending: Pending): Promise<{ userSign: string; recordId: string }> {
    const { result, reply } = await this.mustSucceed('authenticate', (label) =>
      this.authenticate(label, pending, propertiesOf(pending.person)),
    );
    const userSign = result.kind === 'done' ? signIn(result.values) : undefined;
    if (userSign === undefined) throw new ScenarioStopped('authenticate gave no user_sign', 'EHR server');
    return { userSign, recordId: recordIdIn(reply) };
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

  /** Restarts the server. @throws NotPlayable where that cannot be done */
  async restart(): Promise<void> {
    await this.parts.restart();
  }

  /** The same world, whose calls are not kept in the journal. */
  unrecorded(): EhrWorld {
    const { internal } = this.settings;
    const recorder = new Recorder(
      this.parts.clock,
      new Knowledge(internal.user, internal.password, new Map()),
    );
    recorder.stop();
    return new EhrWorld({ ...this.parts, recorder }, this.scenario);
  }

  /** Whether the clock of the server can be moved. */
  get canAdvance(): boolean {
    return this.parts.canAdvance;
  }

  /** Whether time can pass at all: by the control of the server, or in real time. */
  get canWait(): boolean {
    return this.parts.canWait;
  }

  get seed(): number {
    return this.parts.seed;
  }

  /** Removes the links of this scenario's users, and keeps its patients. */
  async unlinkAll(keeping?: string): Promise<void> {
    for (const [user, linking] of this.#linked) {
      if (user === keeping) continue;
      await this.#unlink(linking);
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
  async #unlink({ session, person, userSign }: Linking): Promise<void> {
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

/** The id of the record in a reply; empty where there is none. */
export function recordIdIn(reply: Called['reply']): string {
  const patient = isObject(reply?.result) ? reply.result.patient : undefined;
  return isObject(patient) ? String(patient.id) : '';
}

function signIn({ userSign, user_sign }: Readonly<Record<string, string>>): string | undefined {
  return userSign ?? user_sign;
}

/** The scenario cannot be played with what the file offers. */
export class NotPlayable extends Error {}
