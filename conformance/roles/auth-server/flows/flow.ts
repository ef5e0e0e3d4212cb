/** The form of a flow, also called scenario: steps of clients, and checks of what must come of them. */
import type { Check } from '../../../engine/check/check.ts';
import {
  bound,
  type CheckDefinition,
  type Expectation,
  type RoleOfChecks,
} from '../../../engine/check/flow.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { StepName } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import type { Driver } from '../people/driver.ts';
import { fault, timedFault, unclear, wasRefused } from './step-values.ts';

export function done(expected?: string): Expectation {
  return {
    judge(label, [played]) {
      if (!played || played.result.kind === 'done') return undefined;
      const actual = describe(played.result);
      return timedFault(expected ?? `"${label}" succeeds`, actual, played);
    },
  };
}

/**
 * Expects that a step is refused. An internal error of the server and silence refuse as well: another check
 * judges how the client is told. Where several steps have the label, one that succeeded is judged, otherwise
 * the first.
 * @param expected what the report says was expected
 * @param nothingSent whether, in addition, the server must have called no method of the EHR server in the
 * step
 * @param isProof whether a success is a fault even where a control, a step that should succeed, failed
 */
export function refused(expected: string, { nothingSent = false, isProof = true } = {}): Expectation {
  return {
    judge(_label, all) {
      const played = all.find(({ result }) => result.kind === 'done') ?? all[0];
      if (!played) return undefined;
      const { result } = played;
      if (result.kind === 'done') return { ...fault(expected, 'it succeeded', played), isProof };
      if (!wasRefused(played)) return failedInstead(played, expected);
      const sent = nothingSent ? played.exchanges.filter(({ link }) => link === 'auth->ehr') : [];
      if (sent.length === 0) return undefined;
      const methods = sent.map(({ facts }) => facts.call?.method ?? 'something').join(', ');
      return fault('nothing is sent to the EHR server', `${methods} was sent all the same`, played);
    },
  };
}

/** A fault where the answer was nonsense, unclear where the network may have failed. */
function failedInstead(played: PlayedStep, expected: string): ReturnType<Expectation['judge']> {
  const { result } = played;
  const actual = `no refusal but a failure (${describe(result)})`;
  if (result.kind !== 'failed' || result.what !== 'unexpected-answer') return unclear(actual, played);
  return timedFault(expected, actual, played);
}

const ROLE: RoleOfChecks = { party: 'auth server', leftOut: 'not applicable', done: done() };

/** A check that is not complete until its flow is known: {@link flow} calls it with the flow. */
export type FlowCheck = (flow: { readonly id: string }) => Check;

export const check =
  (definition: CheckDefinition): FlowCheck =>
  ({ id }) =>
    bound(definition, id, ROLE);

/**
 * When a flow runs. `alone`: by itself, before all others. `together`: at the same time as others. `last`: by
 * itself, after all others. `busy`: it keeps a server busy, so it runs by itself, after `alone`; but at the
 * same time as others where the server merely waits while it answers.
 */
export type When = 'alone' | 'busy' | 'together' | 'last';

export type Times = { resend: number; codeLifetime: number; session: number | undefined };

export type Flow = {
  /** In kebab-case. The option `--only` selects flows by it. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly StepName[];
  readonly when: When;
  readonly people: number;
  readonly waits: (times: Times) => number;
  /** Whether calls stay unanswered: the flow takes as long as the server under test waits. */
  readonly meetsSilence: boolean;
  readonly codes: number;
  readonly checks: readonly Check[];
  readonly play: (driver: Driver) => Promise<void>;
};

type FlowDefinition = Pick<Flow, 'id' | 'title' | 'needs' | 'play'> &
  Partial<Omit<Flow, 'checks'>> & { checks: readonly FlowCheck[] };

/** Creates a flow, which unless it says so is played beside others, by one person. */
export function flow(definition: FlowDefinition): Flow {
  const { people = 1, waits = () => 0 } = definition;
  // With a pause of 1 s and no other waits, `waits` returns the number of pauses.
  const codes = people + waits({ resend: 1, codeLifetime: 0, session: undefined });
  const usual = { when: 'together', people, waits, meetsSilence: false, codes } as const;
  return { ...usual, ...definition, checks: definition.checks.map((bind) => bind(definition)) };
}
