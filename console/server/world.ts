/** The console behind its routes: all its parts, and what takes several of them. */
import { personaList } from '#mis-fixtures/personas.ts';
import { type Clock, type MovableClock, movableClock, systemClock } from '#protocol/time/clock.ts';
import type { Addresses, ClockState, Moment, MoveClock, Overview, ScenarioState, Snapshot, State } from '../api.ts';
import { type ControlPort, controlPort } from './control-port.ts';
import { DemoClock } from './demo-clock.ts';
import { EventHub } from './events.ts';
import { faultKinds, interfaceErrors } from './fault-kinds.ts';
import { Faults } from './faults.ts';
import { Feed, MAX_ROWS } from './feed.ts';
import { Identities, patientDataOf } from './identities.ts';
import { LiveJudge } from './live-judge.ts';
import { Phone } from './phone.ts';
import { isOfLanes } from './rows.ts';
import { metaOf, savedRun } from './run-json.ts';
import { scenarios } from './scenarios/list.ts';
import { Player } from './scenarios/player.ts';
import { Snapshots } from './snapshots.ts';
import { readContents } from './state-tables.ts';
import { StateWatch } from './state-watch.ts';
import { openWires, type Wires } from './wires.ts';

export type ConsoleOptions = {
  /** Ports of the console's page and of the proxies; 0 takes a free one. */
  ports: { page: number; ehr: number; internal: number; auth: number };
  /** Base URLs of the parties themselves, without a trailing slash. */
  parties: { ehr: string; internal: string; auth: string; client: string; ehrControl: string; authControl: string };
  /** The version segment of the EHR endpoint; may be empty. */
  apiVersion: string;
  internalUser: string;
  internalPassword: string;
  /** Needed for every request below `/api/`. */
  token: string;
  /** Seed of the demo's population. */
  seed: number;
  version: string;
  /** The directory of the built page; absent: no page is served. */
  pageDirectory?: string | undefined;
  /** The machine's clock, of which the demo's is a movable copy. Default: that of the system. */
  machineClock?: Clock;
};

export class World {
  readonly options: ConsoleOptions;
  readonly hub = new EventHub();
  readonly wires: Wires;
  readonly feed: Feed;
  readonly judge: LiveJudge;
  readonly stateWatch: StateWatch;
  readonly demoClock: DemoClock;
  readonly faults: Faults;
  readonly phone: Phone;
  readonly player: Player;
  readonly snapshots: Snapshots;
  readonly #startedAt: number;

  private constructor(options: ConsoleOptions, wires: Wires, clock: MovableClock, patientData: Map<string, string>) {
    const { recorder } = wires;
    const { hub } = this;
    const ports = { ehr: controlPort(options.parties.ehrControl), auth: controlPort(options.parties.authControl) };
    const identities = new Identities(recorder.knowledge, patientData);
    this.options = options;
    this.wires = wires;
    this.#startedAt = clock.now();
    this.demoClock = new DemoClock(clock, options.machineClock ?? systemClock, ports);
    this.feed = new Feed({ recorder, identities, hub, startedAt: this.#startedAt });
    this.judge = new LiveJudge(() => this.#meta(), hub, systemClock);
    this.stateWatch = this.#watchState(ports, identities);
    this.faults = new Faults(wires.proxies, () => hub.publish('faults', this.faults.list()));
    this.phone = this.#openPhone(clock);
    this.snapshots = new Snapshots(ports.ehr, ports.auth);
    this.player = this.#openPlayer();
    this.feed.onRow((row, masked) => {
      this.judge.add(masked);
      if (row.kind === 'message') this.stateWatch.onMessage(row);
    });
  }

  /** Starts the proxies. @throws Error that names the port that cannot be had */
  static async open(options: ConsoleOptions): Promise<World> {
    const { ports, parties, internalUser, internalPassword, machineClock = systemClock } = options;
    const clock = movableClock(machineClock);
    const patientData = patientDataOf();
    const wires = await openWires({
      clock,
      internalUser,
      internalPassword,
      patientData,
      wires: {
        'client->auth': { target: parties.auth, port: ports.auth },
        'client->ehr': { target: parties.ehr, port: ports.ehr },
        'auth->ehr': { target: parties.internal, port: ports.internal },
      },
      keeping: { maxEntries: MAX_ROWS, isKept: isOfLanes },
    });
    return new World(options, wires, clock, patientData);
  }

  /** Begins to look at the parties, once they run. */
  async watch(): Promise<void> {
    await this.stateWatch.start();
    void this.phone.listen();
  }

  addresses(): Addresses {
    const { parties, apiVersion } = this.options;
    const { proxies } = this.wires;
    const path = apiVersion === '' ? '/' : `/${apiVersion}/`;
    return {
      client: parties.client,
      clientFrame: '/client/',
      auth: proxies['client->auth'].url,
      ehr: proxies['client->ehr'].url + path,
    };
  }

  overview(): Overview {
    return {
      version: this.options.version,
      seed: this.options.seed,
      addresses: this.addresses(),
      clock: this.demoClock.state(),
      people: personaList.map(({ name, title, outcome, signIn, typed }) => ({ name, title, outcome, signIn, typed })),
      faults: this.faults.list(),
      faultKinds,
      errors: interfaceErrors,
      textTrouble: this.phone.trouble,
      scenarios: scenarios.map(({ id, title, sentence, steps }) => {
        return { id, title, sentence, steps: steps.map(({ text }) => text) };
      }),
      scenario: this.player.state,
      alarm: this.feed.alarm,
    };
  }

  async move(move: MoveClock): Promise<ClockState> {
    await this.demoClock.move(move);
    await this.stateWatch.read();
    const words = 'party' in move ? `${move.party} clock set apart` : 'clock moved';
    this.remark(`${words}: it is ${new Date(this.demoClock.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    this.hub.publish('clock', this.demoClock.state());
    return this.demoClock.state();
  }

  /** Empties both servers, sets the clocks right, switches all trouble off, and forgets what crossed. */
  async reset(): Promise<State> {
    this.faults.disarm();
    await this.snapshots.clear();
    await this.demoClock.reset();
    this.#forget();
    return this.stateWatch.read();
  }

  takeSnapshot(name: string): Promise<Snapshot> {
    const { skewMs, movedMs } = this.demoClock;
    const circumstances = { skewMs, movedMs, faults: this.faults.byHand() };
    return this.snapshots.take(name, this.demoClock.now(), circumstances);
  }

  /** Puts a snapshot back. Undefined when there is none of this id. */
  async restore(id: number): Promise<State | undefined> {
    const kept = await this.snapshots.restore(id);
    if (!kept) return undefined;
    const { at, skewMs, movedMs, faults } = kept;
    await this.demoClock.reset();
    await this.demoClock.advance(at - this.demoClock.now());
    await this.#setTrouble({ skewMs, faults });
    this.demoClock.movedMs = movedMs;
    this.#forget();
    return this.stateWatch.read();
  }

  moment(): Moment {
    const { skewMs, movedMs } = this.demoClock;
    const { id, step } = this.player.state;
    return {
      version: 1,
      seed: this.options.seed,
      scenario: id,
      step,
      movedMs,
      skewMs,
      faults: this.faults.byHand(),
    };
  }

  /** Opens the situation of a link. */
  async openMoment({ scenario, step, movedMs, skewMs, faults }: Moment): Promise<ScenarioState> {
    await this.player.takeOver();
    if (scenario === null) await this.reset();
    else await this.player.step(scenario, step);
    if (movedMs !== 0) await this.demoClock.move({ advanceMs: movedMs });
    await this.#setTrouble({ skewMs, faults });
    await this.stateWatch.read();
    return this.player.state;
  }

  /** What was recorded, as the text of a run.json. */
  savedRun(): string {
    return savedRun(this.#meta(), this.wires.recorder.entries());
  }

  remark(text: string): void {
    this.wires.recorder.note(text);
  }

  async stop(): Promise<void> {
    this.hub.close();
    this.phone.stop();
    this.stateWatch.stop();
    await this.wires.stop();
  }

  #meta() {
    const { seed, version } = this.options;
    return metaOf({ startedAt: this.#startedAt, seed, tool: `embedded-ehr-harness ${version}` });
  }

  async #setTrouble({ skewMs, faults }: Pick<Moment, 'skewMs' | 'faults'>): Promise<void> {
    for (const party of ['auth', 'ehr'] as const) await this.demoClock.move({ party, skewMs: skewMs[party] });
    this.faults.disarm();
    for (const fault of faults) this.faults.arm(fault);
  }

  #forget(): void {
    this.feed.clear();
    this.judge.clear();
    this.stateWatch.clear();
    this.phone.clear();
    this.hub.publish('reset', {});
  }

  #watchState(ports: { ehr: ControlPort; auth: ControlPort }, identities: Identities): StateWatch {
    const { pseudonyms } = this.wires.recorder.knowledge;
    return new StateWatch({
      identities,
      mask: (text) => pseudonyms.mask(text),
      read: () => readContents(ports.ehr, ports.auth),
      hub: this.hub,
      demoClock: this.demoClock,
      realClock: systemClock,
    });
  }

  #openPhone(clock: MovableClock): Phone {
    const { knowledge } = this.wires.recorder;
    return new Phone({
      authUrl: this.options.parties.auth,
      clock,
      realClock: systemClock,
      onSent: ({ code, to }) => void knowledge.learnCode(code, to),
      onText: (text) => this.hub.publish('text', text),
      onTrouble: (trouble) => this.hub.publish('textTrouble', trouble),
    });
  }

  #openPlayer(): Player {
    const { auth, ehr } = this.addresses();
    return new Player({
      stage: {
        authUrl: `${auth}/`,
        ehrEndpoint: ehr,
        outboxUrl: this.options.parties.auth,
        advance: (ms) => this.demoClock.advance(ms),
        arm: (fault) => void this.faults.arm(fault, true),
      },
      reset: async () => void (await this.reset()),
      remark: (text) => this.remark(text),
      onChange: (state) => this.hub.publish('scenario', state),
    });
  }
}
