/**
 * A check of an EHR server as one object: what is done, what must come of each step, and what to do about it.
 */

import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../engine/check/check.ts';
import {
  type About,
  checkOfOwn,
  evidenceOf,
  type Fault,
  failureOf,
  type Steps,
} from '../../engine/check/own-scenario.ts';
import { outcomes, type RedChange } from '../../engine/check/red-change.ts';
import type { Finding } from '../../engine/check/verdict.ts';
import { describe } from '../../engine/journal/describe-result.ts';
import type { StepResult } from '../../engine/journal/entry.ts';
import type { PlayedStep } from '../../engine/journal/view.ts';
import type { World } from './world/world.ts';

/** What must come of a step. */
export type Expectation =
  | { kind: 'done' }
  | { kind: 'refused'; reason: Reason | undefined; byCode?: true }
  | { kind: 'http'; status: number; orClosed?: boolean };

/** The step succeeds. */
export const done: Expectation = { kind: 'done' };

/** The step is refused. The reason says by which code; another check judges the code. */
export function refused(reason?: Reason): Expectation {
  return { kind: 'refused', reason };
}

/** The step is refused by the code of this reason, which tells what of several faults was found first. */
export function refusedBy(reason: Reason): Expectation {
  return { kind: 'refused', reason, byCode: true };
}

/**
 * The step is answered with this HTTP status.
 * @param orClosed whether the server may close the connection while the request is still being sent. A client
 * may then miss the answer.
 */
export function http(status: number, { orClosed = false } = {}): Expectation {
  return { kind: 'http', status, orClosed };
}

type Definition<C extends string, E extends string, R extends string> = About & {
  /** Steps without whose success the others prove nothing. */
  control?: readonly C[];
  /** Calls at the same moment, whose outcomes `judge` counts. */
  races?: readonly R[];
  /** What must come of each step. */
  expect: Readonly<Record<E, Expectation>>;
  play: (world: World<NoInfer<C | E | R>>) => Promise<void>;
  /** Judges further what the expectations do not say. Undefined: it is right. */
  judge?: (steps: Steps<NoInfer<C | E | R>>) => Fault | undefined;
  /** What to do about a fault, in one or two sentences. */
  advice: string;
  /** The smallest change to a right server's journal that must fail the check; derived unless given. */
  red?: RedChange;
  /** Whether it lets time pass on the server's clock. */
  waitsMinutes?: number;
};

export type EhrCheck = {
  readonly check: Check;
  readonly scenario: EhrScenario;
  readonly expect: Readonly<Record<string, Expectation>>;
};

export type EhrScenario = {
  readonly id: string;
  readonly title: string;
  /** How long it waits for the server's clock, in minutes. */
  readonly waitsMinutes: number;
  readonly play: (world: World) => Promise<void>;
};

/** Creates a check with its scenario, both of one id. */
export function check<const E extends string, const C extends string = never, const R extends string = never>(
  definition: Definition<C, E, R>,
): EhrCheck {
  const { id, title, waitsMinutes = 0, red } = definition;
  const expect = definition.expect as Readonly<Record<string, Expectation>>;
  return {
    expect,
    scenario: { id, title, waitsMinutes, play: definition.play as (world: World) => Promise<void> },
    check: checkOfOwn(definition, (steps: Steps<C | E | R>) => judge(definition, steps), red ?? contraryOf(id, expect)),
  };
}

function judge<C extends string, E extends string, R extends string>(
  definition: Definition<C, E, R>,
  steps: Steps<C | E | R>,
): Finding {
  const { control = [], races = [], advice } = definition;
  const expected = Object.entries(definition.expect) as [E, Expectation][];
  const failure = (fault: Fault) => failureOf(fault, { blame: 'EHR server', advice });
  const faults = expected.flatMap(([label, expectation]) =>
    steps.all(label).flatMap((played) => faultOf(label, expectation, played) ?? []),
  );
  // A success that must not be is proof, whatever became of the controls.
  const proof = faults.find(({ shownBy }) => shownBy.some(({ result }) => result.kind === 'done'));
  if (proof) return failure(proof);
  for (const label of control) {
    const { result, evidence } = steps.of(label);
    if (result.kind === 'done') continue;
    const because = `the control "${label}", which ought to succeed, did not (${describe(result)})`;
    return { outcome: 'inconclusive', because, evidence, blame: 'EHR server' };
  }
  const shown = [...control, ...races, ...expected.map(([label]) => label)].map(steps.of);
  const fault = faults[0] ?? definition.judge?.(steps);
  return fault ? failure(fault) : { outcome: 'pass', evidence: evidenceOf(shown) };
}

function faultOf(label: string, expectation: Expectation, played: PlayedStep): Fault | undefined {
  if (isMet(expectation, played)) return undefined;
  const { result } = played;
  const actual = result.kind === 'done' ? 'it succeeded' : (otherCode(expectation, result) ?? describe(result));
  return { expected: `"${label}" ${wordsOf(expectation)}`, actual, shownBy: [played] };
}

/** A refusal by another code, in the words of the checks of codes. */
function otherCode(expectation: Expectation, result: StepResult): string | undefined {
  if (expectation.kind !== 'refused' || result.kind !== 'refused') return undefined;
  return `code ${result.code ?? `HTTP ${result.status}`} (${result.reason ?? 'without a reason'})`;
}

function isMet(expectation: Expectation, { result, exchanges }: PlayedStep): boolean {
  if (expectation.kind === 'http') {
    const isClosed = result.kind === 'failed' && result.what === 'unreachable';
    return exchanges[0]?.response?.status === expectation.status || (expectation.orClosed === true && isClosed);
  }
  if (result.kind === 'refused' && expectation.kind === 'refused' && expectation.byCode)
    return result.code === codeOf(expectation.reason);
  return result.kind === expectation.kind;
}

/** The JSON-RPC code of a reason, as results hold it. */
export function codeOf(reason: Reason | undefined): string | undefined {
  return reason && String(errorTable[reason].code);
}

function wordsOf(expectation: Expectation): string {
  if (expectation.kind === 'done') return 'succeeds';
  if (expectation.kind === 'http') return `is answered with HTTP ${expectation.status}`;
  const { reason, byCode } = expectation;
  if (byCode) return `is refused by code ${codeOf(reason)} (${reason})`;
  return reason === undefined ? 'is refused' : `is refused (${reason})`;
}

const SUCCESS: StepResult = { kind: 'done', values: {} };
const REFUSAL: StepResult = { kind: 'refused', status: 200, code: '-33000' };

/** Gives the first expected step the contrary result. */
function contraryOf(scenario: string, expect: Readonly<Record<string, Expectation>>): RedChange {
  const [label = '', expectation] = Object.entries(expect)[0] ?? [];
  if (expectation?.kind === 'http') {
    return ({ entries }) => {
      const step = entries.find((each) => each.kind === 'step' && each.scenario === scenario && each.label === label);
      for (const entry of entries)
        if (entry.kind === 'exchange' && entry.step === step?.seq)
          Object.assign(entry, { response: { status: 500, headers: [], body: '' } });
    };
  }
  return outcomes({ scenario, label }, () => (expectation?.kind === 'done' ? REFUSAL : SUCCESS));
}
