/**
 * Judges a run: checks the ledger for contradictions, against the server's final answers and against the
 * database.
 */
import type { Cast } from '../load/cast.ts';
import { auditViolations } from './audit.ts';
import { type Call, describeCall, type History } from './history.ts';
import { linearize } from './linearize.ts';
import { dealRows, type Rows } from './rows.ts';
import { violationsOf } from './rules.ts';

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
  groups: readonly { cast: Cast; history: History }[];
  rows: Rows;
  windows: readonly FaultWindow[];
};

/**
 * Judges a run. Calls `onProgress` with the number of finished groups, and yields to the event loop between
 * groups.
 */
export async function judge(
  { groups, rows, windows }: Evidence,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Judgement> {
  const dealt = dealRows(
    groups.map(({ cast }) => cast),
    rows,
  );
  const violations: Violation[] = dealt.strays.map((what) => ({
    rule: 'stray-row',
    message: `the database holds ${what}`,
    calls: [],
    history: [],
  }));
  const add = (history: History, rule: string, message: string, calls: readonly Call[]) =>
    violations.push({
      rule,
      message,
      group: history.group,
      calls: calls.map(describeCall),
      history: history.calls.map(describeCall),
    });
  for (const { history } of groups) {
    const audit = dealt.audit.get(history.group) ?? [];
    const broken = [
      ...violationsOf(history),
      ...auditViolations(history, audit, (call) => isBeforeCrash(call, windows)),
    ];
    for (const { rule, message, calls } of broken) add(history, rule, message, calls);
    for (const call of history.calls) {
      if (isUnexplained(call, windows))
        add(history, 'failure-without-fault', 'a call failed although nothing was wrong', [call]);
    }
  }

  let checkedCalls = 0;
  let searchSteps = 0;
  for (const [index, { history }] of groups.entries()) {
    // Proving that no order exists takes longest. A run that has already failed does not need the proof.
    const maxSteps = violations.length > 0 ? MAX_STEPS_AFTER_FAILURE : undefined;
    const verdict = linearize(history, dealt.snapshots.get(history.group), maxSteps);
    if (verdict.kind === 'unexplained') {
      const message = verdict.atTheEnd
        ? 'an order of the calls explains every reply, and none explains the rows of the database as well'
        : `no order of the calls explains the replies: ${verdict.placed} can be placed, and then none of these`;
      add(history, 'no-order-explains', message, verdict.stuck);
    } else {
      searchSteps += verdict.steps;
      if (verdict.kind === 'undecided')
        add(history, 'undecided', `the search for an order was given up after ${verdict.steps} steps`, []);
    }
    checkedCalls += history.calls.length;
    onProgress(index + 1, groups.length);
    await new Promise(setImmediate);
  }
  return { violations, checkedCalls, searchSteps };
}

const MAX_STEPS_AFTER_FAILURE = 2_000;

/** Tells whether the database crashed shortly after the call: a crash loses the last asynchronous commits. */
function isBeforeCrash(call: Call, windows: readonly FaultWindow[]): boolean {
  return windows.some(
    ({ kind, from, until }) =>
      ['restart-immediate', 'restart-kill'].includes(kind) &&
      call.sentAt <= until &&
      call.answeredAt >= from - MAX_COMMIT_DELAY_MS,
  );
}

/** At most three times the `wal_writer_delay` of 200 ms, with a margin. */
const MAX_COMMIT_DELAY_MS = 1_000;

function isUnexplained(call: Call, windows: readonly FaultWindow[]): boolean {
  return (
    call.outcome.kind === 'unknown' &&
    !windows.some(
      ({ process, from, until }) =>
        (process === undefined || process === call.process) && call.sentAt <= until && call.answeredAt >= from,
    )
  );
}
