/** Judges a run: the replies, the rows of the database and the audit must have one explanation together. */
import type { Cast } from '../load/cast.ts';
import { auditViolations } from './audit.ts';
import { describeCall, type GroupHistory, type LedgerCall } from './history.ts';
import { linearize } from './linearize.ts';
import { dealRows, type GroupRows, type StoredRows } from './rows.ts';

/** A time during which calls may fail, in milliseconds of the client's clock. */
export type FaultWindow = {
  kind: string;
  /** Absent: every process. */
  process?: string;
  from: number;
  until: number;
};

export type Violation = {
  rule: string;
  message: string;
  /** Absent when the violation concerns no group. */
  group?: number;
  /** The calls that prove the violation, and all calls of the group, one line each. */
  calls: string[];
  history: string[];
};

export type Judgement = { violations: Violation[]; checkedCalls: number; searchSteps: number };

export type Evidence = {
  groups: readonly { cast: Cast; history: GroupHistory }[];
  rows: StoredRows;
  windows: readonly FaultWindow[];
};

/** Proving that no order exists takes longest. After so many proofs the others are cut short. */
const MAX_FULL_PROOFS = 3;
const STEPS_OF_A_SHORT_PROOF = 1_000;

/** Judges a run. Yields to the event loop between groups, and tells how many of them are done. */
export async function judge(
  { groups, rows, windows }: Evidence,
  onProgress: (done: number) => void = () => undefined,
): Promise<Judgement> {
  const dealt = dealRows(
    groups.map(({ cast }) => cast),
    rows,
  );
  const violations: Violation[] = dealt.strays.map((what) => {
    return { rule: 'stray-row', message: `the database holds ${what}`, calls: [], history: [] };
  });
  let [checkedCalls, searchSteps, proofs] = [0, 0, 0];
  for (const [index, { cast, history }] of groups.entries()) {
    const maxSteps = proofs < MAX_FULL_PROOFS ? undefined : STEPS_OF_A_SHORT_PROOF;
    const { found, steps } = judgeGroup(
      history.calls,
      dealt.groups.get(cast) as GroupRows,
      windows,
      maxSteps,
    );
    if (found.some(({ rule }) => rule === 'no-order-explains')) proofs++;
    for (const { rule, message, calls } of found) {
      const lines = { calls: calls.map(describeCall), history: history.calls.map(describeCall) };
      violations.push({ rule, message, group: history.group, ...lines });
    }
    checkedCalls += history.calls.length;
    searchSteps += steps;
    onProgress(index + 1);
    await new Promise(setImmediate);
  }
  return { violations, checkedCalls, searchSteps };
}

type FoundViolation = { rule: string; message: string; calls: readonly LedgerCall[] };

function judgeGroup(
  calls: readonly LedgerCall[],
  { snapshot, audit }: GroupRows,
  windows: readonly FaultWindow[],
  maxSteps: number | undefined,
): { found: FoundViolation[]; steps: number } {
  const found: FoundViolation[] = auditViolations(calls, audit, (call) => isBeforeCrash(call, windows));
  for (const call of calls.filter((one) => isUnexplained(one, windows)))
    found.push({
      rule: 'failure-without-fault',
      message: 'a call failed although nothing was wrong',
      calls: [call],
    });
  const verdict = linearize(calls, snapshot, maxSteps);
  if (verdict.kind === 'unexplained') {
    const message = verdict.atTheEnd
      ? 'an order of the calls explains every reply, and none explains the rows of the database as well'
      : `no order of the calls explains the replies: ${verdict.placed} can be placed, and then none of these`;
    found.push({ rule: 'no-order-explains', message, calls: verdict.stuck });
    return { found, steps: 0 };
  }
  const { steps } = verdict;
  if (verdict.kind === 'undecided') {
    const message = `the search for an order was given up after ${steps} steps`;
    found.push({ rule: 'undecided', message, calls: [] });
  }
  return { found, steps };
}

/** At most three times the `wal_writer_delay` of 200 ms, with a margin. */
const MAX_COMMIT_DELAY_MS = 1_000;

/** Tells whether the database crashed shortly after the call: a crash loses the last asynchronous commits. */
function isBeforeCrash({ sentAt, answeredAt }: LedgerCall, windows: readonly FaultWindow[]): boolean {
  const crashes = windows.filter(({ kind }) => ['restart-immediate', 'restart-kill'].includes(kind));
  return crashes.some(({ from, until }) => sentAt <= until && answeredAt >= from - MAX_COMMIT_DELAY_MS);
}

function isUnexplained(
  { outcome, sentAt, answeredAt, ...call }: LedgerCall,
  windows: readonly FaultWindow[],
): boolean {
  const isHit = ({ process = call.process, from, until }: FaultWindow) =>
    process === call.process && sentAt <= until && answeredAt >= from;
  return outcome.kind === 'unknown' && !windows.some(isHit);
}
