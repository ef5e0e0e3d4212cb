/** Judges a run: the replies, the rows of the database and the audit must have one explanation together. */
import type { Cast } from '../load/cast.ts';
import { auditViolations, type FoundViolation } from './audit.ts';
import { describeCall, type GroupHistory, type GroupSnapshot, type LedgerCall } from './history.ts';
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

export type Judgement = { violations: Violation[]; checkedCalls: number };

export type Evidence = {
  groups: readonly { cast: Cast; history: GroupHistory }[];
  rows: StoredRows;
  windows: readonly FaultWindow[];
};

/** Proving that no order exists takes longest. After so many proofs the others are cut short. */
const MAX_FULL_PROOFS = 3;
const STEPS_OF_A_SHORT_PROOF = 1_000;

/** Judges a run. Yields to the event loop between groups. */
export async function judge({ groups, rows, windows }: Evidence): Promise<Judgement> {
  const dealt = dealRows(
    groups.map(({ cast }) => cast),
    rows,
  );
  const violations: Violation[] = dealt.strays.map((what) => {
    return { rule: 'stray-row', message: `the database holds ${what}`, calls: [], history: [] };
  });
  let [checkedCalls, proofs] = [0, 0];
  for (const { cast, history } of groups) {
    const maxSteps = proofs < MAX_FULL_PROOFS ? undefined : STEPS_OF_A_SHORT_PROOF;
    const { snapshot, audit } = dealt.groups.get(cast) as GroupRows;
    const all = history.calls;
    const found: FoundViolation[] = [
      ...auditViolations(all, audit, (call) => isBeforeCrash(call, windows)),
      ...all.filter((call) => isUnexplained(call, windows)).map(failedForNothing),
      ...orderViolations(all, snapshot, maxSteps),
    ];
    if (found.some(({ rule }) => rule === 'no-order-explains')) proofs++;
    for (const { rule, message, calls } of found) {
      const lines = { calls: calls.map(describeCall), history: all.map(describeCall) };
      violations.push({ rule, message, group: history.group, ...lines });
    }
    checkedCalls += all.length;
    await new Promise(setImmediate);
  }
  return { violations, checkedCalls };
}

function failedForNothing(call: LedgerCall): FoundViolation {
  return {
    rule: 'failure-without-fault',
    message: 'a call failed although nothing was wrong',
    calls: [call],
  };
}

function orderViolations(
  calls: readonly LedgerCall[],
  snapshot: GroupSnapshot,
  maxSteps: number | undefined,
): FoundViolation[] {
  const verdict = linearize(calls, snapshot, maxSteps);
  if (verdict.kind === 'explained') return [];
  if (verdict.kind === 'undecided') {
    const message = `the search for an order was given up after ${verdict.steps} steps`;
    return [{ rule: 'undecided', message, calls: [] }];
  }
  const message = verdict.atTheEnd
    ? 'an order of the calls explains every reply, and none explains the rows of the database as well'
    : `no order of the calls explains the replies: ${verdict.placed} can be placed, and then none of these`;
  return [{ rule: 'no-order-explains', message, calls: verdict.stuck }];
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
