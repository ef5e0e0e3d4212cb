/** Drives one scenario: plays its users, clients of both servers. */
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { sideBySide } from '../../../engine/check/side-by-side.ts';
import type { Label, StepResult } from '../../../engine/journal/entry.ts';
import type { StepInput } from '../adapter/adapter.ts';
import { part } from '../flows/step-values.ts';
import { limitOf, mayBeLimit, nextCodeAt } from './codes/code-limits.ts';
import { CODE_WAIT_MS } from './codes/codes.ts';
import type { DriverParts } from './driver-parts.ts';
import type { Person } from './people.ts';
import { StepDriver } from './step-driver.ts';
import type { StepLabel } from './steps.ts';
import { LONGEST_WAIT_MS } from './time/scenario-time.ts';
import { type StepOptions, stoppedAt, type User } from './users.ts';

export type { DriverParts, StepOptions, User };

export class Driver extends StepDriver {
  constructor(parts: DriverParts, { id }: { id: string }, people: Person[] = []) {
    super(parts, id, people);
  }

  async user(name: string): Promise<User> {
    const { user, person } = this.users.next(name);
    await this.#ready(user, person);
    return user;
  }

  /** Creates one more user; undefined where phones are few. */
  async newcomer(name: string): Promise<User | undefined> {
    return Number.isFinite(this.parts.people.count) ? undefined : this.user(name);
  }

  /** Creates a user with this phone, which may be one that the run's pattern of phones does not have. */
  async userAt(name: string, phone: string): Promise<User> {
    await this.#untilCodeIsDue(phone);
    return this.users.at(name, { phone, patient: this.parts.people.patientOfStranger(phone) });
  }

  /** Creates a user for the same person on another device, which has no session and no signature yet. */
  otherDevice({ phone, patient }: User, name: string): User {
    return this.users.at(name, { phone, patient });
  }

  /** Whether the server merely waits while it answers: many steps at once disturb nobody. */
  get serverWaits(): boolean {
    return this.parts.pace() === 'waits';
  }

  get freePeople(): number {
    return Math.min(this.parts.people.count, MAX_USERS_AT_ONCE);
  }

  /** Runs `work` for each item with a user of its own, `width` at a time. */
  async forEach<T>(
    items: readonly T[],
    name: (item: T) => string,
    work: (user: User, item: T) => Promise<void>,
    width = DEFAULT_WORKER_COUNT,
  ): Promise<void> {
    // Where phones are few, each worker has one person for all its items.
    const areFew = Number.isFinite(this.parts.people.count);
    const workers: readonly (Person | undefined)[] = areFew
      ? this.users.people.slice(0, width)
      : Array.from({ length: Math.min(width, items.length) }, () => undefined);
    // The scenario itself does nothing meanwhile, so the clock need not wait for it.
    const enter = this.pauseWork();
    const troubles = await sideBySide(items, workers, async (item, theirs) => {
      const leave = this.parts.time.enter();
      try {
        const person = theirs ?? this.users.oneMore();
        const user = this.users.of(name(item), person);
        await this.#ready(user, person);
        await work(user, item);
      } finally {
        leave();
      }
    });
    enter();
    if (troubles.length > 0) throw troubles[0];
  }

  /** Requests a code and returns it; '' where the server has no codes. Stops the scenario when none comes. */
  async code(user: User, label: StepLabel): Promise<string> {
    if (!this.adapter.has('requestOtp')) return '';
    const { result, code } = await this.codes.request(user, label, { waitMs: CODE_WAIT_MS });
    const limit =
      result.kind === 'refused' &&
      mayBeLimit(result) &&
      limitOf(user.phone, this.parts, this.resendPauseMs());
    if (limit) throw new ScenarioStopped(limit, 'environment');
    if (result.kind !== 'done') throw stoppedAt(label, result);
    if (code === undefined)
      throw new ScenarioStopped(`no code came to the phone of ${user.name}`, 'environment');
    return code;
  }

  async signIn(user: User, label: StepLabel, input: StepInput = {}): Promise<void> {
    const code = await this.code(user, part(label, 'request a code'));
    await this.mustSucceed(user, 'confirmOtp', label, { code, ...input });
  }

  /** Signs in with a fresh code, and returns the result, which may be a failure. */
  async trySignIn(user: User, label: StepLabel, options: StepOptions = {}): Promise<StepResult> {
    const code = await this.code(user, part(label, 'request a code'));
    return this.perform(user, 'confirmOtp', label, { code, ...options });
  }

  async signedIn(name: string): Promise<User> {
    const user = await this.user(name);
    await this.signIn(user, `${name} signs in`);
    return user;
  }

  async linked(name: string): Promise<User> {
    const user = await this.signedIn(name);
    await this.link(user, `${name} links`);
    return user;
  }

  /** Links the user at the EHR server, and does not report the link to the authorization server. */
  async linkUnreported(user: User, label: StepLabel): Promise<void> {
    await this.mustSucceed(user, 'exchangeToken', part(label, 'exchange token'));
    await this.mustCallEhr(user, 'authenticate', part(label, 'authenticate'));
  }

  /** Links the user: exchange token, authentication and report, all of which should succeed. */
  async link(user: User, label: StepLabel): Promise<void> {
    await this.linkUnreported(user, label);
    if (this.adapter.has('reportLink')) await this.mustSucceed(user, 'reportLink', part(label, 'report'));
  }

  /** Ends a session by a step or by the clock; false when neither is possible. */
  async expireSession(user: User): Promise<boolean> {
    if (this.adapter.has('expireSession')) return this.performHelper('expireSession', user);
    const minutes = Number(user.ttl ?? Number.NaN);
    return Number.isFinite(minutes) ? this.advanceTime(minutes * 60_000 + 1_000) : false;
  }

  get canRestart(): boolean {
    return this.adapter.has('restart') || (this.parts.server.canRestart && this.parts.keepsOverRestart);
  }

  /** Restarts the server by a step, or as the kit has started it; false when neither is possible. */
  async restartServer(): Promise<boolean> {
    const { server } = this.parts;
    if (this.adapter.has('restart')) return server.whileRestarting(() => this.performHelper('restart'));
    if (!this.canRestart) return false;
    await server.restart();
    return true;
  }

  /** Waits until the person may get another code. Makes the person new if an earlier scenario linked them. */
  async #ready(user: User, person: Person): Promise<void> {
    await this.#untilCodeIsDue(user.phone);
    if (person.linkedBefore) await this.#makeNew(user, person);
  }

  /** Removes the link, and signs in, so that the server forgets the link too (decision 34). */
  async #makeNew(user: User, person: Person): Promise<void> {
    const label: Label = { scenario: this.scenario, label: `${user.name} is made new` };
    await this.passResendPause();
    await this.signIn(user, label);
    if ((await this.callEhr(user, 'removeAuthentication', part(label, 'authenticate'))).kind === 'done') {
      await this.passResendPause();
      const stale = await this.trySignIn(user, label, { defect: 'their link was removed at the EHR server' });
      if (stale.kind !== 'done') throw stoppedAt(label, stale);
    }
    await this.passResendPause();
    person.linkedBefore = false;
    for (const name of ['user', 'token', 'ttl', 'userSign', 'exchangeToken'] as const) delete user[name];
  }

  async #untilCodeIsDue(phone: string): Promise<void> {
    const { people, time, adapter } = this.parts;
    const due = nextCodeAt(people.codesTo(phone), {
      pauseMs: this.resendPauseMs(),
      perDay: adapter.codesPerDay,
    });
    // Where the clock cannot be moved, the run goes on, is refused, and the report names the limit.
    if (due - time.now() > 0 && (time.canAdvance || due - time.now() <= LONGEST_WAIT_MS))
      await this.advanceTime(due - time.now(), {
        longestWaitMs: Number.POSITIVE_INFINITY,
        slackMs: this.resendSlackMs(),
      });
  }
}

/** Limits the users of a scenario at once. More of them would show nothing new. */
const MAX_USERS_AT_ONCE = 50;

/** The number of items at a time in {@link Driver.forEach}, unless given. */
const DEFAULT_WORKER_COUNT = 20;
