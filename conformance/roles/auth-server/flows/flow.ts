/** A flow of this role: what the kit does as the clients, and the checks of what comes of it. */
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

/** The step succeeds; `expected` says it in other words. */
export function done(expected?: string): Expectation {
  return {
    judge(label, [played]) {
      if (!played || played.result.kind === 'done') return undefined;
      const actual = describe(played.result);
      return { expected: expected ?? `"${label}" succeeds`, actual, shownBy: [played], timeSensitive: true };
    },
  };
}

/**
 * The step is refused by an error that a client can understand. Of repeated steps the worst counts, which is
 * one that succeeded. A server that never answers the wrong request leaves its clients waiting.
 * @param nothingSent whether the EHR server must not have been called meanwhile
 * @param isProof whether a success is a fault even where a control failed
 */
export function refused(expected: string, { nothingSent = false, isProof = true } = {}): Expectation {
  return {
    judge(_label, all) {
      const played = all.find(({ result }) => result.kind === 'done') ?? all[0];
      if (!played) return undefined;
      const { result } = played;
      if (result.kind === 'done') return { expected, actual: 'it succeeded', shownBy: [played], isProof };
      if (result.kind === 'failed') return failedInstead(played, expected);
      const sent = nothingSent ? played.exchanges.filter(({ link }) => link === 'auth->ehr') : [];
      if (sent.length === 0) return undefined;
      const methods = sent.map(({ facts }) => facts.call?.method ?? 'something').join(', ');
      return {
        expected: 'nothing is sent to the EHR server',
        actual: `${methods} was sent all the same`,
        shownBy: [played],
      };
    },
  };
}

/** An attempt that was to be refused broke: by the server's fault, or by one that shows nothing. */
function failedInstead(played: PlayedStep, expected: string): ReturnType<Expectation['judge']> {
  const { result, exchanges } = played;
  const what = result.kind === 'failed' ? result.what : '';
  const actual = `no refusal but a failure (${describe(result)})`;
  const isUnanswered =
    what === 'timeout' && exchanges.some(({ link, response }) => link === 'client->auth' && !response);
  if (!isUnanswered && what !== 'server-error' && what !== 'unexpected-answer')
    return { unclear: actual, shownBy: [played] };
  return {
    expected: `${expected}, by an error that a client can understand`,
    actual,
    shownBy: [played],
    timeSensitive: true,
  };
}

const ROLE: RoleOfChecks = { party: 'auth server', leftOut: 'not applicable', done: done() };

/** A check that waits for its flow. */
export type FlowCheck = (flow: { readonly id: string }) => Check;

/** Creates a check of the flow in which it stands. */
export const check =
  (definition: CheckDefinition): FlowCheck =>
  ({ id }) =>
    bound(definition, id, ROLE);

/**
 * When a flow runs: alone and first, beside others, or alone and last. One that keeps a server busy is
 * alone, but beside others where the server only waits.
 */
export type When = 'alone' | 'busy' | 'together' | 'last';

/** Time spans of the server under test, in seconds, as its adapter file states them. */
export type Times = { resend: number; codeLifetime: number; session: number | undefined };

export type Flow = {
  /** kebab-case; `--only` uses it. */
  readonly id: string;
  /** Says in one plain sentence what the flow does. */
  readonly title: string;
  /** Steps that the flow cannot do without. */
  readonly needs: readonly StepName[];
  readonly when: When;
  /** The number of people needed at the same moment. */
  readonly people: number;
  /** The time (seconds) that it lets pass, where that is known beforehand. */
  readonly waits: (times: Times) => number;
  /** Whether it meets calls that are never answered: then it takes as long as the server under test waits. */
  readonly meetsSilence: boolean;
  /** The approximate number of codes that it requests. */
  readonly codes: number;
  readonly checks: readonly Check[];
  readonly play: (driver: Driver) => Promise<void>;
};

type FlowDefinition = Pick<Flow, 'id' | 'title' | 'needs' | 'play'> &
  Partial<Omit<Flow, 'checks'>> & { checks: readonly FlowCheck[] };

/** Creates a flow: played together with others, by one person who requests one code after each pause. */
export function flow(definition: FlowDefinition): Flow {
  const { people = 1, waits = () => 0 } = definition;
  const codes = people + waits({ resend: 1, codeLifetime: 0, session: undefined });
  const usual = { when: 'together', people, waits, meetsSilence: false, codes } as const;
  return { ...usual, ...definition, checks: definition.checks.map((each) => each(definition)) };
}
