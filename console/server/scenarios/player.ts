/** Plays a scenario: all of it, or step by step, until somebody takes over. */
import { personas } from '#mis-fixtures/personas.ts';
import type { ScenarioState } from '../../api.ts';
import { NotPossible } from '../refused.ts';
import { Actor, type Stage } from './actor.ts';
import { actorName, type PlayedScenario, scenarios } from './list.ts';

export type PlayerParts = {
  stage: Stage;
  /** Empties both servers, and sets the clocks right. */
  reset: () => Promise<void>;
  /** Writes a remark between the messages. */
  remark: (text: string) => void;
  /** Reads what a step changed, before the next one. */
  afterStep: () => Promise<void>;
  onChange: (state: ScenarioState) => void;
};

/** Where a scenario stands, and what its actor holds by then. */
export type Played = { state: ScenarioState; scenario: PlayedScenario | undefined; actor: Actor | undefined };

const IDLE: ScenarioState = { id: null, step: 0, phase: 'idle' };

export class Player {
  readonly #parts: PlayerParts;
  #state = IDLE;
  #scenario: PlayedScenario | undefined;
  #actor: Actor | undefined;
  #mustPause = false;
  #playing: Promise<void> = Promise.resolve();

  constructor(parts: PlayerParts) {
    this.#parts = parts;
  }

  get state(): ScenarioState {
    return this.#state;
  }

  /** Resolves when no step is under way. */
  settled(): Promise<void> {
    return this.#playing;
  }

  /** Begins to play the steps that are left; with an id, from the start of that scenario. */
  async play(id?: string): Promise<ScenarioState> {
    await this.#prepare(id);
    this.#run(Number.POSITIVE_INFINITY);
    return this.#state;
  }

  /** Makes one step, or as many as are asked for, and resolves when they are made. */
  async step(id?: string, count = 1): Promise<ScenarioState> {
    await this.#prepare(id);
    this.#run(count);
    await this.#playing;
    return this.#state;
  }

  /** Stops after the step under way. */
  async pause(): Promise<ScenarioState> {
    this.#mustPause = true;
    await this.#playing;
    return this.#state;
  }

  /** Leaves all as it is. */
  async takeOver(): Promise<ScenarioState> {
    await this.pause();
    this.#scenario = undefined;
    this.#set(IDLE);
    return this.#state;
  }

  /** What {@link putBack} needs to go on from here. */
  keep(): Played {
    return { state: this.#state, scenario: this.#scenario, actor: this.#actor?.copy() };
  }

  /** Stands where it stood when this was kept. */
  putBack({ state, scenario, actor }: Played): void {
    this.#scenario = scenario;
    this.#actor = actor?.copy();
    this.#set(state);
  }

  async #prepare(id: string | undefined): Promise<void> {
    if (this.#state.phase === 'playing')
      throw new NotPossible('A scenario is playing. Please pause it first.');
    if (id === undefined && !this.#scenario) throw new NotPossible('No scenario is chosen. Please name one.');
    if (id === undefined) return;
    const scenario = scenarios.find((each) => each.id === id);
    if (!scenario) throw new NotPossible(`There is no scenario "${id}".`);
    await this.#parts.reset();
    this.#scenario = scenario;
    this.#actor = new Actor(personas[scenario.persona], this.#parts.stage);
    this.#set({ id, step: 0, phase: 'paused' });
  }

  #run(count: number): void {
    this.#mustPause = false;
    this.#playing = this.#steps(count);
  }

  async #steps(count: number): Promise<void> {
    const scenario = this.#scenario;
    const actor = this.#actor;
    if (!scenario || !actor) return;
    for (let made = 0; made < count; made++) {
      const { step } = this.#state;
      const next = scenario.steps[step];
      if (!next) break;
      this.#set({ id: scenario.id, step, phase: 'playing' });
      this.#parts.remark(`${actorName(scenario)} ${next.text}`);
      try {
        await next.act(actor);
        await this.#parts.afterStep();
      } catch (error) {
        this.#set({ id: scenario.id, step, phase: 'failed', trouble: (error as Error).message });
        return;
      }
      this.#set({ id: scenario.id, step: step + 1, phase: 'playing' });
      if (this.#mustPause) break;
    }
    const { step } = this.#state;
    this.#set({ id: scenario.id, step, phase: step >= scenario.steps.length ? 'done' : 'paused' });
  }

  #set(state: ScenarioState): void {
    this.#state = state;
    this.#parts.onChange(state);
  }
}
