/** The console of one demo behind its routes: all its parts. */
import { type Clock, type MovableClock, movableClock, systemClock } from '#protocol/time/clock.ts';
import type { Addresses, ClockState, MoveClock, Reset } from '../../api.ts';
import { brokenRules, type Surroundings } from '../client-messages.ts';
import { type ControlPort, controlPort } from '../control-port.ts';
import { DemoClock } from '../demo-clock.ts';
import { EventHub } from '../events.ts';
import { LiveJudge } from '../live-judge.ts';
import type { DemoWorldOptions } from '../options.ts';
import { Phone } from '../phone.ts';
import { metaOf, savedRun } from '../run-json.ts';
import { Player } from '../scenarios/player.ts';
import { Situation } from '../state/situation.ts';
import { Snapshots } from '../state/snapshots.ts';
import { readContents } from '../state/state-tables.ts';
import { StateWatch } from '../state/state-watch.ts';
import { Faults } from '../wires/faults.ts';
import { Feed, MAX_ROWS } from '../wires/feed.ts';
import { Identities, patientDataOf } from '../wires/identities.ts';
import { isOfLanes } from '../wires/rows.ts';
import { openWires, type Wires } from '../wires/wires.ts';

export class DemoWorld {
  readonly options: DemoWorldOptions;
  readonly hub = new EventHub();
  readonly wires: Wires;
  readonly feed: Feed;
  readonly judge: LiveJudge;
  readonly stateWatch: StateWatch;
  readonly demoClock: DemoClock;
  readonly faults: Faults;
  readonly phone: Phone;
  readonly player: Player;
  readonly situation: Situation;
  readonly #startedAt: number;
  #isWatching = false;

  private constructor(
    options: DemoWorldOptions,
    wires: Wires,
    clock: MovableClock,
    patientData: Map<string, string>,
  ) {
    const { recorder } = wires;
    const { hub } = this;
    const ports = {
      ehr: controlPort(options.parties.ehrControl),
      auth: controlPort(options.parties.authControl),
    };
    const identities = new Identities(recorder.knowledge, patientData);
    this.options = options;
    this.wires = wires;
    this.#startedAt = clock.now();
    this.demoClock = new DemoClock(clock, options.machineClock ?? systemClock, ports);
    this.feed = new Feed({ recorder, identities, hub, startedAt: this.#startedAt });
    this.judge = new LiveJudge({
      meta: () => this.#meta(),
      underWay: () => recorder.callsUnderWay(),
      hub,
      clock: systemClock,
    });
    this.stateWatch = this.#watchState(ports, identities);
    this.faults = new Faults(wires.proxies, () => hub.publish('faults', this.faults.list()));
    this.phone = this.#openPhone(clock);
    this.player = this.#openPlayer();
    this.situation = new Situation({
      ...this.#parts(),
      seed: options.seed,
      snapshots: new Snapshots(ports.ehr, ports.auth),
      forget: (reset) => this.#forget(reset),
    });
    this.feed.onRow((row, masked, clear) => {
      this.judge.add(masked, ...(clear.kind === 'exchange' ? brokenRules(clear, this.#surroundings()) : []));
      if (row.kind === 'message') this.stateWatch.onMessage(row);
    });
  }

  /** Starts the proxies. @throws Error that names the port that cannot be had */
  static async open(options: DemoWorldOptions): Promise<DemoWorld> {
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
    return new DemoWorld(options, wires, clock, patientData);
  }

  /** Whether it looks at the parties. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Begins to look at the parties, once they run. */
  async watch(): Promise<void> {
    await this.stateWatch.start();
    void this.phone.listen();
    this.#isWatching = true;
  }

  addresses(): Addresses {
    const { base, parties, apiVersion } = this.options;
    const { proxies } = this.wires;
    const path = apiVersion === '' ? '/' : `/${apiVersion}/`;
    return {
      client: parties.client,
      clientFrame: `${base}/client/`,
      auth: proxies['client->auth'].url,
      ehr: proxies['client->ehr'].url + path,
    };
  }

  async move(move: MoveClock): Promise<ClockState> {
    await this.demoClock.move(move);
    await this.stateWatch.read();
    const words = 'party' in move ? `${move.party} clock set apart` : 'clock moved';
    this.remark(
      `${words}: it is ${new Date(this.demoClock.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    );
    this.hub.publish('clock', this.demoClock.state());
    return this.demoClock.state();
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

  #parts() {
    const { faults, phone, demoClock, player, stateWatch } = this;
    return { faults, phone, demoClock, player, stateWatch };
  }

  #surroundings(): Surroundings {
    const signs = new Set(this.wires.recorder.knowledge.signs.keys());
    return { signs, apiVersion: this.options.apiVersion };
  }

  #meta() {
    const { seed, version } = this.options;
    return metaOf({ startedAt: this.#startedAt, seed, tool: `embedded-ehr-harness ${version}` });
  }

  #forget(reset: Reset): void {
    this.feed.clear();
    this.judge.clear();
    this.stateWatch.clear();
    this.phone.clear();
    this.hub.publish('reset', reset);
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

  #openPhone(clock: Clock): Phone {
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
      reset: async () => void (await this.situation.reset()),
      remark: (text) => this.remark(text),
      afterStep: async () => void (await this.stateWatch.current()),
      onChange: (state) => this.hub.publish('scenario', state),
    });
  }
}
