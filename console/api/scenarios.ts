/** The people of the demo, the flows that the console plays, and the states that it keeps. */
import type { Time } from './basics.ts';

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

/** The answer to `takeOver`. `held` is absent when nobody was signed in. */
export type TakenOver = ScenarioState & { readonly held?: HeldSession };

/** What the scenario's client held, in clear: the client of the page goes on with it. */
export type HeldSession = {
  /** The phone that was signed in with. */
  readonly phone: string;
  /** As `auth.confirm_otp` returned it. */
  readonly session: { readonly user: string; readonly token: string; readonly ttl: number };
  /** The signature of the link, once there is one. */
  readonly userSign?: string;
  /** Whether a link was made that the authorization server has not been told of. */
  readonly reportDue: boolean;
};

/** A kept state of both servers, with clock, trouble and scenario. It lasts until the demo stops. */
export type Snapshot = {
  readonly id: number;
  readonly name: string;
  /** The time of the demo when it was taken, and after it is put back. */
  readonly at: Time;
};
