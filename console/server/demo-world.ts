/** The console of one demo behind its routes: all its parts. */
import { type RunMeta, runText } from '#conformance/engine/journal/run-file.ts';
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { type Clock, type MovableClock, systemClock } from '#protocol/time/clock.ts';
import type { Addresses, ClockState, MoveClock, Reset } from '../api.ts';
import type { ControlPort } from './control-port.ts';
import { DemoClock } from './demo-clock.ts';
import { EventHub } from './events.ts';
import { brokenRules, LiveJudge, type Surroundings } from './live-judge.ts';
import { Phone } from './phone.ts';
import { scenarios } from './scenarios/list.ts';
import { Player } from './scenarios/player.ts';
import { Situation } from './state/situation.ts';
import { readContents, StateWatch } from './state/state-watch.ts';
import { Faults } from './wires/faults.ts';
import { Feed } from './wires/feed.ts';
import { Identities } from './wires/identities.ts';
import type { Wires } from './wires/wires.ts';

/** What the console stands on: HTTP and the machine, or a page in which all three parties run. */
export type DemoParts = {
  addresses: Addresses;
  /** Given where all three parties run in the page itself. */
  isInPage?: true;
  /** The version segment of the EHR endpoint; may be empty. */
  apiVersion: string;
  /** Seed of the demo's population. */
  seed: number;
  version: string;
  /** What runs the console, as a saved run tells it. */
  runtime: string;
  /** The demo's clock, and the one that nobody moves. */
  clock: MovableClock;
  machineClock: Clock;
  /** What the wires know as patient data; it grows with what patients are matched by, until a reset. */
  patientData: Map<string, string>;
  wires: Wires;
  ports: { ehr: ControlPort; auth: ControlPort };
  /** The internal channel over its wire, with what opens it. */
  internal: { endpoint: string; user: string; password: string };
  /** Reaches the wires and the outbox. */
  fetch: typeof fetch;
  /** Base URL of the authorization server itself: its outbox is a long poll, which needs no wire. */
  outboxUrl: string;
  /** Waits until others had their turn, amid long work. */
  nextTurn: () => Promise<unknown>;
};

const PARTY_NAMES = { client: 'Client', auth: 'Authorization server', ehr: 'EHR server' } as const;

export class DemoWorld {
  readonly parts: DemoParts;
  readonly hub = new EventHub();
  readonly feed: Feed;
  readonly judge: LiveJudge;
  readonly stateWatch: StateWatch;
  readonly demoClock: DemoClock;
  readonly faults: Faults;
  readonly phone: Phone;
  readonly player: Player;
  readonly situation: Situation;
  readonly #startedAt: number;
  readonly #identities: Identities;
  #isWatching = false;

  constructor(parts: DemoParts) {
    const { wires, clock, ports, seed } = parts;
    const { recorder } = wires;
    const { hub } = this;
    const identities = new Identities(recorder.knowledge, parts.patientData);
    this.parts = parts;
    this.#identities = identities;
    this.#startedAt = clock.now();
    const demoClock = new DemoClock(clock, parts.machineClock, ports);
    this.demoClock = demoClock;
    this.feed = new Feed({
      ...{ recorder, identities, hub, startedAt: this.#startedAt },
      onRow: (row, masked, clear) => {
        const broken = clear.kind === 'exchange' ? brokenRules(clear, this.#surroundings()) : [];
        this.judge.add(masked, ...broken);
        if (row.kind === 'message') this.stateWatch.onMessage(row);
      },
    });
    this.judge = new LiveJudge({
      meta: () => this.#meta(),
      underWay: () => recorder.callsUnderWay(),
      hub,
      clock: systemClock,
    });
    this.stateWatch = new StateWatch({
      ...{ identities, hub, demoClock, realClock: systemClock },
      mask: (text) => recorder.knowledge.pseudonyms.mask(text),
      read: () => readContents(ports.ehr, ports.auth),
    });
    this.faults = new Faults(wires.proxies, hub);
    this.phone = new Phone({
      ...{ hub, clock, realClock: systemClock, fetch: parts.fetch, authUrl: parts.outboxUrl },
      onSent: ({ code, to }) => void recorder.knowledge.learnCode(code, to),
    });
    this.player = this.#openPlayer();
    const { faults, phone, player, stateWatch } = this;
    const forget = (reset: Reset) => this.#forget(reset);
    this.situation = new Situation({ faults, phone, demoClock, player, stateWatch, seed, ports, forget });
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

  async move(move: MoveClock): Promise<ClockState> {
    await this.demoClock.move(move);
    await this.stateWatch.read();
    const what = 'party' in move ? `${PARTY_NAMES[move.party]}: clock set apart,` : 'clock moved:';
    const time = new Date(this.demoClock.now()).toISOString().slice(0, 19).replace('T', ' ');
    this.#remark(`${what} it is ${time} UTC`);
    this.hub.publish('clock', this.demoClock.state());
    return this.demoClock.state();
  }

  /** What was recorded, as the text of a run.json. */
  savedRun(): string {
    const meta = this.#meta(this.#identities.people());
    return runText({ meta, entries: this.parts.wires.recorder.entries() });
  }

  async stop(): Promise<void> {
    this.hub.close();
    this.phone.stop();
    void this.player.pause();
    this.stateWatch.stop();
    await this.parts.wires.stop();
  }

  #remark(text: string): void {
    this.parts.wires.recorder.note(text);
  }

  #surroundings(): Surroundings {
    const { wires, apiVersion } = this.parts;
    return { signs: new Set(wires.recorder.knowledge.signs.keys()), apiVersion };
  }

  /** @param people who signed in, by the pseudonym of their phone: they are invented */
  #meta(people = {}): RunMeta {
    const { seed, version, runtime: node } = this.parts;
    return {
      tool: `embedded-ehr-harness ${version}`,
      node,
      startedAt: new Date(this.#startedAt).toISOString(),
      seed,
      mode: 'watch',
      target: 'the demo',
      configuration: { people },
      abilities: { absentSteps: [], canAdvanceClock: true, otpLifetimeSeconds: CODE_LIFETIME_MS / 1_000 },
      longestSilenceMs: 0,
      finished: true,
    };
  }

  #forget(reset: Reset): void {
    this.feed.clear();
    this.judge.clear();
    this.stateWatch.clear();
    this.phone.clear();
    if (reset.isEmptied) this.#identities.forget();
    this.hub.publish('reset', reset);
  }

  #openPlayer(): Player {
    const { addresses, fetch, internal, outboxUrl, machineClock } = this.parts;
    return new Player({
      scenarios,
      clock: machineClock,
      calls: {
        ...{ fetch, internal, outboxUrl, authUrl: `${addresses.auth}/`, ehrEndpoint: addresses.ehr },
        advance: (ms) => this.demoClock.advance(ms),
        arm: (fault) => void this.faults.arm(fault, true),
      },
      reset: async () => void (await this.situation.reset()),
      remark: (text) => this.#remark(text),
      afterStep: async () => void (await this.stateWatch.current()),
      onChange: (state) => this.hub.publish('scenario', state),
    });
  }
}
