/** The people of the demo, the flows that the console plays, and the situations it opens again. */
import type { Time } from './basics.ts';
import type { Skews } from './state.ts';
import type { ArmFault, TextTrouble } from './trouble.ts';

/** A persona of the fixtures. What they would type is invented data that anybody may see. */
export type PersonCard = {
  readonly name: string;
  /** A description in one line. */
  readonly title: string;
  /** What happens with them, one sentence. */
  readonly outcome: string;
  /** The phone to sign in with. */
  readonly signIn: string;
  /** One entry for each person who can be told apart. `date` is `YYYY-MM-DD hh:mm:ss.mmm`. */
  readonly typed: readonly {
    readonly name: string;
    readonly surname: string;
    readonly date: string;
    readonly gender: number;
    readonly phone: string;
  }[];
};

/** A flow that the console plays as the client. */
export type Scenario = {
  readonly id: string;
  readonly title: string;
  /** What it shows, one sentence. */
  readonly sentence: string;
  /** One line for each step. */
  readonly steps: readonly string[];
};

/** Where the played scenario stands. */
export type ScenarioState = {
  /** null: none is chosen, or it was handed over. */
  readonly id: string | null;
  /** How many steps were made. */
  readonly step: number;
  /** `failed`: a step did not end as the scenario says. */
  readonly phase: 'idle' | 'playing' | 'paused' | 'done' | 'failed';
  /** Why it failed, in words. */
  readonly trouble?: string;
};

/**
 * `play` makes the steps that are left, with `id` from the start of that scenario after a reset; `step` makes
 * one; `pause` stops after the step under way; `takeOver` leaves all as it is for one's own hands.
 */
export type PlayScenario = { readonly do: 'play' | 'step' | 'pause' | 'takeOver'; readonly id?: string };

/** The situation that a link opens again, in this demo or another one. */
export type Moment = {
  readonly version: 1;
  readonly seed: number;
  /** The scenario to play, and how many of its steps; null: none. */
  readonly scenario: string | null;
  readonly step: number;
  /** How far the clock was moved by hand beyond the moves of the scenario's own steps. */
  readonly movedMs: number;
  readonly skewMs: Skews;
  readonly faults: readonly ArmFault[];
  /** Absent: none. */
  readonly textTrouble?: TextTrouble;
};

/** A kept state of both servers, with clock, trouble and scenario. It lasts until the demo stops. */
export type Snapshot = { readonly id: number; readonly name: string; readonly at: Time };

export type TakeSnapshot = { readonly name: string };
