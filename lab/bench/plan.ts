/** Names the measured programs, and says how much the whole run, the short one and tests measure. */
import type { BenchProgram } from './programs.ts';

export type BenchPlan = {
  /** Sessions in the database, each of another linked patient. */
  sessions: number;
  connections: readonly number[];
  rounds: number;
  /** Milliseconds of one slice that are counted, and of the warm-up before, which are not. */
  sliceMs: number;
  warmUpMs: number;
};

/** The connection count at which targets are judged. Every run measures it. */
export const JUDGED_CONNECTIONS = 32;

export const wholePlan: BenchPlan = {
  sessions: 1_000_000,
  connections: [1, 8, JUDGED_CONNECTIONS, 128],
  // A machine that is slow for some seconds spoils few short slices, and a whole round of long ones.
  rounds: 15,
  sliceMs: 500,
  warmUpMs: 100,
};

export const quickPlan: BenchPlan = {
  ...wholePlan,
  sessions: 200_000,
  connections: [JUDGED_CONNECTIONS],
  rounds: 3,
};

export const EHR = 'EHR server';
export const BARE = 'bare node:http';
export const BARE_PER_CALL = 'bare node:http, a commit per call';
export const EXPRESS = 'express 5';

/** `turn`: the writes of an event-loop turn share a transaction. `call`: each call has its own. */
export type Commit = 'turn' | 'call';

/** Without a commit it is the EHR server, which has no such choice. */
export type Contender = { name: string; program: BenchProgram; commit?: Commit };

const ehr: Contender = { name: EHR, program: 'ehr' };
const bare: Contender = { name: BARE, program: 'bare', commit: 'turn' };

/** A read commits its audit entry alone, so all group their commits. */
export const readers: readonly Contender[] = [
  ehr,
  bare,
  { name: EXPRESS, program: 'express', commit: 'turn' },
];

export const writers: readonly Contender[] = [
  ehr,
  bare,
  { name: BARE_PER_CALL, program: 'bare', commit: 'call' },
  { name: EXPRESS, program: 'express', commit: 'call' },
];
