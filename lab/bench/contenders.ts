/** The contenders that are measured, by the names that the tables show. */
import type { BenchProgram } from './bundle.ts';

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
