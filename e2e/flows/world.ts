/** What a flow can do: let people use applications, move clocks, cut wires, and look at the calls. */
import { join } from 'node:path';
import type { KnownPerson } from '#conformance/roles/ehr-server/settings.ts';
import { pause } from '#protocol/time/clock.ts';
import { type CrossedCall, wordsOf } from '#testing/recording/calls.ts';
import { callEhr } from '../parties/ehr-party.ts';
import type { Parties, Wire } from '../parties/open.ts';
import { AuthClock, Device, FlowFailure, type Someone } from './device.ts';

const INTERNAL_METHODS = 'embedded_storage.save_';

/** How long (ms) a call may take that the application makes in the background. */
const BACKGROUND_MS = 3_000;

const MINUTE_MS = 60_000;

/** In place of a number of calls: all calls since the beginning of the flow. */
export const FROM_START = 0;

export class FlowWorld {
  readonly parties: Parties;
  readonly #folder: string;
  readonly #free: KnownPerson[];
  readonly #devices: Device[] = [];
  readonly #authClock: AuthClock;
  readonly #cut = new Set<Wire>();

  /** @param turn number of the flow in its run, so that each begins with other patients */
  constructor(parties: Parties, folder: string, turn: number) {
    this.parties = parties;
    this.#authClock = new AuthClock(parties);
    this.#folder = folder;
    const { matching } = parties.ehr.people;
    this.#free = matching.map((_, index) => matching[(index + turn) % matching.length] as KnownPerson);
  }

  device(): Device {
    const storage = join(this.#folder, `device-${this.#devices.length + 1}`);
    const device = new Device(this.parties, this.#authClock, () => this.parties.client.start(storage));
    this.#devices.push(device);
    return device;
  }

  /** Somebody with a phone of their own; their record is no other person's. */
  someone(record?: KnownPerson): Someone {
    const own = record ?? this.#free[0];
    if (!own) throw new FlowFailure('The EHR server knows too few patients for this flow.');
    this.#free.splice(this.#free.indexOf(own), 1);
    return { phone: this.parties.auth.nextPhone(), record: own };
  }

  async signedIn(): Promise<{ someone: Someone; device: Device }> {
    const someone = this.someone();
    const device = this.device();
    await device.signIn(someone);
    return { someone, device };
  }

  /** Somebody who has connected their record on a device; `before` are the calls up to then. */
  async connected(): Promise<{ someone: Someone; device: Device; before: number }> {
    const someone = this.someone();
    const device = await this.device().connect(someone);
    return { someone, device, before: this.calls().length };
  }

  /** The calls so far; those since the first `since` of them. */
  calls(since = 0): readonly CrossedCall[] {
    return this.parties.calls.all().slice(since);
  }

  /** Requires calls with these methods in this order; others may stand between them. */
  called(since: number, ...methods: readonly string[]): void {
    let at = since;
    for (const method of methods) {
      if (!this.parties.seesInternal && method.startsWith(INTERNAL_METHODS)) continue;
      const found = this.calls().findIndex((call, index) => index >= at && isCall(call, method));
      if (found === -1)
        throw new FlowFailure(`There is no ${method} where it ought to be.\n${this.#list(since)}`);
      at = found + 1;
    }
  }

  notCalled(since: number, method: string): void {
    const call = this.calls(since).find((each) => isCall(each, method));
    if (call) throw new FlowFailure(`There ought to be no ${method}, and there is: ${wordsOf(call)}.`);
  }

  /** @throws FlowFailure with this sentence when something does not hold */
  require(holds: boolean, otherwise: string): void {
    if (!holds) throw new FlowFailure(otherwise);
  }

  async sessionIsOver(): Promise<void> {
    const session = this.calls().findLast(({ authInfo }) => authInfo)?.authInfo;
    if (!session) throw new FlowFailure('There was no session.');
    const { user, token } = session;
    const isOpen = await callEhr(this.parties.ehr.publicUrl, 'patient.get_patient', {}, { user, token });
    this.require(!isOpen, 'The EHR server still gives the record for a session that was ended.');
  }

  /** How long the newest session lives, in minutes, as the authorization server announced it. */
  sessionMinutes(): number {
    const { ttl } = this.calls().findLast(({ authInfo }) => authInfo)?.authInfo ?? { ttl: 0 };
    return this.parties.ehr.ttlUnit === 'seconds' ? Math.ceil(ttl / 60) : ttl;
  }

  /** Waits for a call that an application makes in the background. */
  async untilCalled(method: string): Promise<void> {
    const { clock, calls, signal } = this.parties;
    const isThere = () => this.calls().some((call) => isCall(call, method));
    if (isThere()) return;
    const seen = new AbortController();
    const forget = calls.onCall(() => {
      if (isThere()) seen.abort();
    });
    await pause(clock, BACKGROUND_MS, AbortSignal.any([seen.signal, signal]));
    forget();
    this.called(FROM_START, method);
  }

  async advance(minutes: number, who: 'ehr' | 'auth' | 'both' = 'both'): Promise<void> {
    const { recorder, ehr } = this.parties;
    const whose = who === 'both' ? 'both servers' : `the ${who} server`;
    recorder.note(`The clock of ${whose} moves by ${minutes} minutes.`);
    if (who !== 'auth') await ehr.advance?.(minutes * MINUTE_MS);
    if (who !== 'ehr') await this.#authClock.advance(minutes * MINUTE_MS);
  }

  async restart(who: 'ehr' | 'auth'): Promise<void> {
    this.parties.recorder.note(`The ${who === 'ehr' ? 'EHR' : 'authorization'} server is restarted.`);
    await this.parties[who].restart?.();
  }

  cut(wire: Wire): void {
    this.#cut.add(wire);
    this.parties.cut(wire, true);
  }

  mend(wire: Wire): void {
    this.#cut.delete(wire);
    this.parties.cut(wire, false);
  }

  mendAll(): void {
    for (const wire of this.#cut) this.mend(wire);
  }

  async end(): Promise<void> {
    await Promise.all(this.#devices.splice(0).map((device) => device.end()));
  }

  #list(since: number): string {
    const lines = this.calls(since).map((call) => `  ${wordsOf(call)}`);
    return lines.length === 0 ? 'There are no calls.' : `The calls are:\n${lines.join('\n')}`;
  }
}

/** A method may stand with its outcome, such as `patient.get_patient not_authorized`. */
function isCall({ method, outcome }: CrossedCall, wanted: string): boolean {
  return wanted === method || wanted === `${method} ${outcome}`;
}
