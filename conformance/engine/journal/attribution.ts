/** Assigns each exchange to the step that caused it, also when scenarios run side by side. */
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry } from './entry.ts';

/** What identifies a person on the wire: users, session tokens and exchange tokens, as pseudonyms. */
type Identity = ReadonlySet<string>;

/**
 * Returns the step of each exchange, by `seq`. Requests of the kit name their step. A call of the server
 * under test belongs to the step under way if its scenario ran alone, else to the step whose user or token it
 * carries.
 */
export function attributionOf(entries: readonly Entry[]): ReadonlyMap<number, StepEntry> {
  const steps = new Map<number, StepEntry>();
  const outcomes = new Map<number, OutcomeEntry>();
  const alone = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'step') steps.set(entry.seq, entry);
    else if (entry.kind === 'outcome') outcomes.set(entry.step, entry);
    else if (entry.kind === 'scenario' && entry.alone) alone.add(entry.scenario);
  }
  const identities = identitiesOf(steps.values(), outcomes);
  const found = new Map<number, StepEntry>();
  /** Steps under way, by `seq`: entries are in order. */
  const open = new Map<number, StepEntry>();
  const callers = new Map<number, CallingParty>();
  for (const entry of entries) {
    if (entry.kind === 'step') {
      open.set(entry.seq, entry);
      const identity = CALLING_STEPS.has(entry.step) ? identities.get(personOf(entry)) : undefined;
      if (identity) callers.set(entry.seq, { step: entry, identity });
    }
    if (entry.kind === 'outcome') {
      open.delete(entry.step);
      callers.delete(entry.step);
    }
    if (entry.kind !== 'exchange' || entry.facts.stray !== undefined) continue;
    const step =
      entry.step === undefined ? stepOfCall(entry, { open, callers, alone }) : steps.get(entry.step);
    if (step) found.set(entry.seq, step);
  }
  return found;
}

/** A step under way that may cause calls of the server under test, with its person's identity. */
type CallingParty = { readonly step: StepEntry; readonly identity: Identity };

type UnderWay = {
  readonly open: ReadonlyMap<number, StepEntry>;
  readonly callers: ReadonlyMap<number, CallingParty>;
  /** Scenarios that ran alone. */
  readonly alone: ReadonlySet<string>;
};

function stepOfCall(exchange: ExchangeEntry, { open, callers, alone }: UnderWay): StepEntry | undefined {
  if (open.size === 1) {
    const [only] = open.values();
    if (only && alone.has(only.scenario)) return only;
  }
  const { token, user, exchangeToken } = exchange.facts.call ?? {};
  // Only one step yields an exchange token, so it decides; the user beside it may be the wrong one.
  for (const value of [exchangeToken, token, user]) {
    if (value === undefined) continue;
    const [first, ...others] = [...callers.values()].filter(({ identity }) => identity.has(value));
    // Equal requests of one person at the same moment: any of them fits.
    if (first && others.every(({ identity }) => identity === first.identity)) return first.step;
  }
  return undefined;
}

/** Helpers of the kit and calls to the EHR server cause no calls of the server under test. */
const CALLING_STEPS: ReadonlySet<string> = new Set([
  'requestOtp',
  'confirmOtp',
  'exchangeToken',
  'reportLink',
  'logout',
  'deleteUser',
]);

const personOf = ({ scenario, user }: StepEntry) => `${scenario}\n${user}`;

function identitiesOf(
  steps: Iterable<StepEntry>,
  outcomes: ReadonlyMap<number, OutcomeEntry>,
): ReadonlyMap<string, Identity> {
  const identities = new Map<string, Set<string>>();
  for (const step of steps) {
    const result = outcomes.get(step.seq)?.result;
    if (result?.kind !== 'done') continue;
    const known = identities.get(personOf(step)) ?? new Set();
    identities.set(personOf(step), known);
    for (const name of ['user', 'token', 'exchangeToken'])
      if (result.values[name] !== undefined) known.add(result.values[name]);
  }
  return identities;
}
