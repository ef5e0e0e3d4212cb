/** Performs and records the steps of a scenario's users, and what belongs to them. */
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Entry, StepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Fault } from '../../../engine/wire/faults.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/http-adapter.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { Codes } from './codes/codes.ts';
import type { DriverParts } from './driver-parts.ts';
import type { Person } from './people.ts';
import { type Spoiling, spoiltSession } from './spoil.ts';
import { type ChangedOptions, type StepLabel, Steps } from './steps.ts';
import { FIRST_LATE_SAVE_MS, isSessionSave, LOOK_AGAIN_MS, watchSaves } from './time/late-saves.ts';
import { stoppedAt, type User, Users } from './users.ts';

const SAVE_METHODS = { 'exchange-token': SAVE_EXCHANGE_TOKEN, 'auth-info': SAVE_AUTH_INFO } as const;

export class StepDriver extends Steps {
  readonly adapter: Adapter;
  readonly codes: Codes;
  protected readonly parts: DriverParts;
  protected readonly users: Users;

  constructor(parts: DriverParts, scenario: string, people: Person[]) {
    super(parts, scenario);
    this.parts = parts;
    this.adapter = parts.adapter;
    this.users = new Users({ ...parts, scenario }, people);
    this.codes = new Codes(parts, this, scenario);
  }

  /** Notes that the person is linked, so that the next scenario makes them new. */
  protected override onSign(user: User): void {
    this.users.wasLinked(user);
  }

  /** Performs one step. `user` keeps what the step yields, such as a session. */
  async perform(user: User, step: StepName, label: StepLabel, options?: ChangedOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.codes.take(1);
    const isSaved = step === 'reportLink' || (step === 'confirmOtp' && this.users.isLinked(user));
    const { recorder, found } = this.parts;
    const saved = found.savesLate && isSaved ? watchSaves(recorder, (ms) => this.wait(ms)) : undefined;
    const result = await this.performNow(user, step, label, options);
    await saved?.(result.kind === 'done' ? user.token : undefined);
    return result;
  }

  async mustSucceed(user: User, step: StepName, label: StepLabel, input?: StepInput): Promise<void> {
    const result = await this.perform(user, step, label, input);
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  /** Injects a fault into the next `times` calls with this user or token; any call where there is neither. */
  fault(
    { user, token }: User,
    method: keyof typeof SAVE_METHODS,
    fault: Fault,
    times = 1,
    onMet: () => void = () => undefined,
  ): () => void {
    return this.parts.proxies.authToEhr.arm({
      ...{ method: SAVE_METHODS[method], fault, times, onMet },
      of({ params }) {
        if (user === undefined && token === undefined) return true;
        const info = isObject(params) && isObject(params.authInfo) ? params.authInfo : {};
        return info.user === user || info.token === token;
      },
    });
  }

  inventedToken(): string {
    return randomToken(this.parts.random);
  }

  giveLongSign({ patient }: User, bytes: number): void {
    this.parts.longSigns.give(patient, bytes);
  }

  /** Whether the server was seen to save a session after it had answered its client. */
  get savesLate(): boolean {
    return this.parts.found.savesLate === true;
  }

  /** Waits until the user's session was saved; if that is late, the run waits for saves from then on. */
  async untilSaved({ token = '' }: User): Promise<void> {
    const { recorder, found } = this.parts;
    const isOwn = (entry: Entry) =>
      isSessionSave(entry) && entry.facts.reply?.result === true && entry.request.body.includes(token);
    for (let waited = 0; waited < FIRST_LATE_SAVE_MS; waited += LOOK_AGAIN_MS) {
      if (recorder.has(isOwn)) {
        found.savesLate ||= waited > 0;
        return;
      }
      await this.wait(LOOK_AGAIN_MS);
    }
  }

  messagesTo(user: User): Promise<number> {
    return this.codes.messagesTo(user);
  }

  observe(label: StepLabel, values: Record<string, number | string | boolean>): void {
    this.parts.recorder.observation(this.labelled(label), values);
  }

  get certificates() {
    return this.parts.proxies.authToEhr.certificates;
  }

  /** What a step sends instead of the user's session, changed in this way. */
  spoiltSession(user: User, how: Spoiling): StepInput {
    const { pseudonyms } = this.parts.recorder.knowledge;
    const learn = (value: string) => void pseudonyms.learn('session-token', value);
    return spoiltSession(user, how, { draw: (below) => this.draw(below), learn });
  }

  /** Tries what the last answer carried as a session, and an invented value if that succeeds. */
  async tryCarried(
    user: User,
    defect: string,
    labels: { carried: StepLabel; inventedInstead: StepLabel },
  ): Promise<void> {
    if (!this.adapter.has('exchangeToken')) return;
    for (const { token, user: named = user.user ?? '' } of this.adapter.carriedSessions?.(user.phone) ?? []) {
      // The step names the user, and nothing says which user it would be.
      if (named === '' && this.whoCalls('exchangeToken').user) continue;
      this.parts.recorder.knowledge.pseudonyms.learn('session-token', token);
      const sent = { defect, user: named, token };
      const result = await this.perform({ ...user }, 'exchangeToken', labels.carried, sent);
      if (result.kind !== 'done') continue;
      await this.perform({ ...user }, 'exchangeToken', labels.inventedInstead, {
        ...{ defect: 'the value is invented', user: named },
        ...this.spoiltSession({ ...user, token }, 'invented'),
      });
      return;
    }
  }

  whoCalls(step: StepName): WhoCalls {
    return this.parts.whoCalls(step);
  }

  draw(below: number): number {
    return Buffer.from(this.parts.random(4)).readUInt32BE() % below;
  }

  /** Performs a step that no client does, such as a restart of the server. Returns whether it succeeded. */
  protected async performHelper(step: StepName, user?: User): Promise<boolean> {
    const input = user ? this.inputOf(user, step, {}) : {};
    return (await this.adapter.perform(step, input, this.parts.signal)).kind === 'done';
  }
}
