/** The form of a flow (scenario): steps of clients, and the checks of what must come of them. */
import type { Check } from '../../../engine/check/check.ts';
import { checksOf, type FlowChecks, type RoleOfFlows } from '../../../engine/check/flow.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { Expects, StepName } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import type { Driver } from '../people/driver.ts';
import { fault, faultUnlessSlow, unclear, wasRefused } from './step-values.ts';

/** `check` alone judges the step; each check of the flow unless given. */
type More = { check?: string; nothingSent?: true };

/**
 * When a flow runs. `alone`: by itself, before all others. `together`: at the same time as others. `last`: by
 * itself, after all others. `busy`: it keeps a server busy, so it runs by itself, after `alone`; but at the
 * same time as others where the server merely waits while it answers.
 */
export type When = 'alone' | 'busy' | 'together' | 'last';

/** In seconds: the pause between two codes for one phone, and the life of a code. */
export type Times = { resend: number; codeLifetime: number };

export type Flow = {
  /** In kebab-case. The option `--only` selects flows by it. */
  readonly id: string;
  readonly title: string;
  /** The flow is played only where the server has these steps. */
  readonly needs: readonly StepName[];
  readonly when: When;
  readonly people: number;
  /** How long (seconds) the flow waits for the server's limits. */
  readonly waits: (times: Times) => number;
  /** Whether calls stay unanswered: the flow takes as long as the server under test waits. */
  readonly meetsSilence: boolean;
  /** How many codes it requests. */
  readonly codes: number;
  readonly checks: readonly Check[];
  readonly play: (driver: Driver) => Promise<void>;
};

/** The step must succeed: otherwise these checks prove nothing. */
export const controlOf = (...checks: readonly string[]): Expects[] =>
  checks.map((check) => ({ must: 'succeed', isControl: true, check }));

/**
 * The step must be refused. An internal error of the server and silence refuse as well: another check judges
 * how the client is told. Where several steps have the label, one that succeeded is judged, otherwise the
 * first. `nothingSent`: in addition the server must have called no method of the EHR server in the step.
 */
export const refused = (words: string, more: More = {}): Expects => ({ must: 'be refused', words, ...more });

/** Returns the fault of steps of one label that were not refused as {@link refused} demands. */
export function unrefused(all: readonly PlayedStep[], { words = '', nothingSent }: Expects): Judgement {
  const played = all.find(({ result }) => result.kind === 'done') ?? all[0];
  if (!played) return undefined;
  if (played.result.kind === 'done') return { ...fault(words, 'it succeeded', played), isProof: true };
  if (!wasRefused(played)) return failedInstead(played, words);
  const sent = nothingSent ? played.exchanges.filter(({ link }) => link === 'auth->ehr') : [];
  if (sent.length === 0) return undefined;
  const methods = sent.map(({ facts }) => facts.call?.method ?? 'something').join(', ');
  return fault('nothing is sent to the EHR server', `${methods} was sent all the same`, played);
}

/** A fault where the answer was nonsense, unclear where the network may have failed. */
function failedInstead(played: PlayedStep, expected: string): Judgement {
  const { result } = played;
  const actual = `no refusal but a failure (${describe(result)})`;
  if (result.kind !== 'failed' || result.what !== 'unexpected-answer') return unclear(actual, played);
  return faultUnlessSlow(expected, actual, played);
}

const ROLE: RoleOfFlows = {
  party: 'auth server',
  judgesParts: true,
  unmet(all, expects) {
    if (expects.must !== 'succeed') return unrefused(all, expects);
    const played = expects.isControl ? all.at(-1) : all[0];
    if (!played || played.result.kind === 'done') return undefined;
    return faultUnlessSlow(`"${played.step.label}" succeeds`, describe(played.result), played);
  },
};

type FlowDefinition = Pick<Flow, 'id' | 'title' | 'play'> &
  Partial<Omit<Flow, 'checks'>> & { checks: FlowChecks };

const SIGN_IN_AND_TOKEN = ['confirmOtp', 'exchangeToken'] as const;

/** Creates a flow. Unless it says so, it needs an exchange token, and one person plays it beside others. */
export function flow(definition: FlowDefinition): Flow {
  const { people = 1, waits = () => 0 } = definition;
  // With a pause of 1 s and no other waits, `waits` returns the number of pauses.
  const codes = people + waits({ resend: 1, codeLifetime: 0 });
  const usual = {
    needs: SIGN_IN_AND_TOKEN,
    when: 'together',
    people,
    waits,
    meetsSilence: false,
    codes,
  } as const;
  return { ...usual, ...definition, checks: checksOf(definition.id, definition.checks, ROLE) };
}
