/** The whole judgement of a run: the ledger against itself, against what the servers answered at the end, and against the database. */
import type { Cast } from '../load/cast.ts';
import { auditBreaches } from './audit.ts';
import { type Call, describeCall, type History } from './history.ts';
import { linearize } from './linearize.ts';
import { dealRows, type Rows } from './rows.ts';
import { breachesOf } from './rules.ts';

/** A time during which calls may fail, in milliseconds of the client's clock. */
export type FaultWindow = { kind: string /** Absent: every process. */; process?: string; from: number; until: number };

export type Violation = {
  rule: string;
  message: string;
  /** Absent when it is about no group. */
  group?: number;
  /** The calls that show it, and all calls of the group, one line each. */
  calls: string[];
  history: string[];
};

export type Judgement = { violations: Violation[]; checkedCalls: number; searchSteps: number };

export type Evidence = {
  groups: readonly { cast: Cast; history: History }[];
  rows: Rows;
  windows: readonly FaultWindow[];
};

/** Judges a run. `onProgress` hears how many groups are done; between groups the event loop turns. */
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
    const breaches = [...breachesOf(history), ...auditBreaches(history, audit, (call) => isBeforeCrash(call, windows))];
    for (const { rule, message, calls } of breaches) add(history, rule, message, calls);
    for (const call of history.calls) {
      if (isUnexplained(call, windows))
        add(history, 'failure-without-fault', 'a call failed although nothing was wrong', [call]);
    }
  }

  let checkedCalls = 0;
  let searchSteps = 0;
  for (const [index, { history }] of groups.entries()) {
    // To show that there is no order takes the longest; a run that has failed already need not.
    const maxSteps = violations.length > 0 ? STEPS_AFTER_FAILURE : undefined;
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

const STEPS_AFTER_FAILURE = 2_000;

/** A PostgreSQL that crashes loses what it committed asynchronously in the moments before. */
function isBeforeCrash(call: Call, windows: readonly FaultWindow[]): boolean {
  return windows.some(
    ({ kind, from, until }) =>
      ['restart-immediate', 'restart-kill'].includes(kind) &&
      call.sentAt <= until &&
      call.answeredAt >= from - ASYNCHRONOUS,
  );
}

/** At most three times its `wal_writer_delay` of 200 ms, and some. */
const ASYNCHRONOUS = 1_000;

function isUnexplained(call: Call, windows: readonly FaultWindow[]): boolean {
  return (
    call.outcome.kind === 'unknown' &&
    !windows.some(
      ({ process, from, until }) =>
        (process === undefined || process === call.process) && call.sentAt <= until && call.answeredAt >= from,
    )
  );
}
