/** Plays a scenario: all of it, or step by step, until somebody takes over. */
import type { Clock } from '#protocol/time/clock.ts';
import type { ScenarioState, TakenOver } from '../../api.ts';
import { NotPossible } from '../refused.ts';
import { Actor, type ActorCalls } from './actor.ts';
import { personaOf, personName } from './list.ts';
import type { ScenarioScript } from './steps.ts';

type PlayerParts = {
  scenarios: readonly ScenarioScript[];
  calls: ActorCalls;
  /** Counts the waits between steps; a clock that nobody moves. */
  clock: Clock;
  /** Empties both servers, and sets the clocks right. */
  reset: () => Promise<void>;
  /** Writes a remark between the messages. */
  remark: (text: string) => void;
  /** Reads what a step changed, before the next one. */
  afterStep: () => Promise<void>;
  onChange: (state: ScenarioState) => void;
};

/** The steps of a scenario that were made. */
export type StepsMade = Pick<ScenarioState, 'id' | 'step'>;

/** Where a scenario stands, and what its actor holds by then. */
export type Played = {
  state: ScenarioState;
  stepsMade: StepsMade;
  scenario: ScenarioScript | undefined;
  actor: Actor | undefined;
};

const IDLE: ScenarioState = { id: null, step: 0, phase: 'idle' };

export class Player {
  readonly #parts: PlayerParts;
  #state = IDLE;
  #stepsMade: StepsMade = IDLE;
  #scenario: ScenarioScript | undefined;
  #actor: Actor | undefined;
  #mustPause = false;
  #endWait: () => void = () => undefined;
  #playing: Promise<void> = Promise.resolve();

  constructor(parts: PlayerParts) {
    this.#parts = parts;
  }

  get state(): ScenarioState {
    return this.#state;
  }

  /** The steps made since the demo was emptied, also after somebody took over. */
  get stepsMade(): StepsMade {
    return this.#stepsMade;
  }

  /** Resolves when no step is under way. */
  settled(): Promise<void> {
    return this.#playing;
  }

  /**
   * Begins to play the steps that are left; with an id, from the start of that scenario.
   * @param paceMs how long it waits between two steps
   */
  async play(id?: string, paceMs = 0): Promise<ScenarioState> {
    await this.#prepare(id);
    this.#playing = this.#steps(Number.POSITIVE_INFINITY, paceMs);
    return this.#state;
  }

  /** Makes one step, or as many as are asked for, and resolves when they are made. */
  async step(id?: string, count = 1): Promise<ScenarioState> {
    await this.#prepare(id);
    this.#playing = this.#steps(count, 0);
    await this.#playing;
    return this.#state;
  }

  /** Stops after the step under way. A wait between steps ends at once. */
  async pause(): Promise<ScenarioState> {
    this.#mustPause = true;
    this.#endWait();
    await this.#playing;
    return this.#state;
  }

  /** Leaves all as it is, and tells what its client held. */
  async takeOver(): Promise<TakenOver> {
    await this.pause();
    const held = this.#actor?.held();
    this.#scenario = undefined;
    this.#actor = undefined;
    this.#set(IDLE);
    return { ...this.#state, ...(held && { held }) };
  }

  /** What {@link putBack} needs to go on from here. */
  keep(): Played {
    const actor = this.#actor?.copy();
    return { state: this.#state, stepsMade: this.#stepsMade, scenario: this.#scenario, actor };
  }

  /** Stands where it stood when this was kept. */
  putBack({ state, stepsMade, scenario, actor }: Played): void {
    this.#stepsMade = stepsMade;
    this.#scenario = scenario;
    this.#actor = actor?.copy();
    this.#set(state);
  }

  /** The demo was emptied: nothing is left of the steps that were made. */
  forgetSteps(): void {
    this.#stepsMade = IDLE;
  }

  async #prepare(id: string | undefined): Promise<void> {
    if (this.#state.phase === 'playing')
      throw new NotPossible('A scenario is playing. Please pause it first.');
    this.#mustPause = false;
    if (id === undefined && !this.#scenario) throw new NotPossible('No scenario is chosen. Please name one.');
    if (id === undefined) return;
    const scenario = this.#parts.scenarios.find((each) => each.id === id);
    if (!scenario) throw new NotPossible(`There is no scenario "${id}".`);
    await this.#parts.reset();
    this.#scenario = scenario;
    this.#actor = new Actor(personaOf(scenario), this.#parts.calls);
    this.#set({ id, step: 0, phase: 'paused' });
  }

  async #steps(count: number, paceMs: number): Promise<void> {
    const scenario = this.#scenario;
    const actor = this.#actor;
    if (!scenario || !actor) return;
    for (let made = 0; made < count && !this.#mustPause; made++) {
      const { step } = this.#state;
      const next = scenario.steps[step];
      if (!next) break;
      this.#set({ id: scenario.id, step, phase: 'playing' });
      this.#parts.remark(`${personName(scenario)} ${next.text}`);
      try {
        await next.act(actor);
        await this.#parts.afterStep();
      } catch (error) {
        this.#set({ id: scenario.id, step, phase: 'failed', trouble: (error as Error).message });
        return;
      }
      this.#set({ id: scenario.id, step: step + 1, phase: 'playing' });
      if (scenario.steps[step + 1]) await this.#wait(paceMs);
    }
    const { step } = this.#state;
    this.#set({ id: scenario.id, step, phase: step >= scenario.steps.length ? 'done' : 'paused' });
  }

  async #wait(ms: number): Promise<void> {
    if (ms === 0 || this.#mustPause) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
    });
  }

  #set(state: ScenarioState): void {
    this.#state = state;
    if (state.id !== null) this.#stepsMade = state;
    this.#parts.onChange(state);
  }
}
