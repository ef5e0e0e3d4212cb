/**
 * Finds out which step of a scenario caused each HTTP exchange of a run, also when several scenarios run at
 * the same time. A check of a step can then judge the calls that the server under test made because of it.
 */
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry } from './entry.ts';
import { clientSteps } from './names.ts';

/** The users and tokens of one person. */
type Identity = ReadonlySet<string>;

/**
 * Returns the step of each exchange, by the `seq` of the exchange. A request of the kit names its step. A
 * call of the server under test belongs to the step under way if that step's scenario ran alone, or else to
 * the step whose user or token the call carries. A save that comes after its step has ended belongs to that
 * step all the same, also where another step is under way. Exchanges without a step are missing in the result.
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
  /** Steps that have begun and not ended at this entry of the journal, by `seq`. */
  const open = new Map<number, StepEntry>();
  const callers = new Map<number, Caller>();
  const unsaved = new Unsaved();
  for (const entry of entries) {
    if (entry.kind === 'step') {
      open.set(entry.seq, entry);
      const identity = CALLING_STEPS.has(entry.step) ? identities.get(personOf(entry)) : undefined;
      if (identity) callers.set(entry.seq, { step: entry, identity });
    }
    if (entry.kind === 'outcome') {
      unsaved.ended(steps.get(entry.step), entry);
      open.delete(entry.step);
      callers.delete(entry.step);
    }
    // A stray is a request of some program that is no party of the run.
    if (entry.kind !== 'exchange' || entry.facts.stray !== undefined) continue;
    const step =
      entry.step === undefined
        ? unsaved.dueStep(entry, stepOfCall(entry, { open, callers, alone }))
        : steps.get(entry.step);
    if (!step) continue;
    found.set(entry.seq, step);
    unsaved.saved(step, entry);
  }
  return found;
}

export function scenarioOf(entry: Entry): string | undefined {
  return 'scenario' in entry ? entry.scenario : undefined;
}

/** Returns the scenario of each entry by its `seq`, or `''`. A call of a server has that of its step. */
export function scenariosByEntry(entries: readonly Entry[]): ReadonlyMap<number, string> {
  const attributed = attributionOf(entries);
  return new Map(
    entries.map((entry) => [entry.seq, scenarioOf(entry) ?? attributed.get(entry.seq)?.scenario ?? '']),
  );
}

/** Whether this is a call of the server under test that got no answer, although no fault was injected. */
export const isLeftByKit = (entry: Entry): boolean =>
  entry.kind === 'exchange' && entry.link === 'auth->ehr' && entry.fault === undefined && !entry.response;

/** A step under way that may cause calls of the server under test, with the identity of its person. */
type Caller = { readonly step: StepEntry; readonly identity: Identity };

type UnderWay = {
  readonly open: ReadonlyMap<number, StepEntry>;
  readonly callers: ReadonlyMap<number, Caller>;
  readonly alone: ReadonlySet<string>;
};

function stepOfCall(exchange: ExchangeEntry, { open, callers, alone }: UnderWay): StepEntry | undefined {
  if (open.size === 1) {
    const [only] = open.values();
    if (only && alone.has(only.scenario)) return only;
  }
  const { token, user, exchangeToken } = exchange.facts.call ?? {};
  // Only one step yields an exchange token, so the token decides. A wrong server may send another user.
  for (const value of [exchangeToken, token, user]) {
    if (value === undefined) continue;
    const [first, ...others] = [...callers.values()].filter(({ identity }) => identity.has(value));
    // If several steps fit, they are equal requests of one person at the same moment: any of them is right.
    if (first && others.every(({ identity }) => identity === first.identity)) return first.step;
  }
  return undefined;
}

/** Remembers whose session no report and no sign-in has saved: a server may save it a little later. */
class Unsaved {
  /** Key: a person. Value: the step whose save is due. */
  readonly #steps = new Map<string, StepEntry>();
  /** Key: a session token. Value: its person. */
  readonly #tokens = new Map<string, string>();
  readonly #linked = new Set<string>();
  readonly #saved = new Set<StepEntry>();

  ended(step: StepEntry | undefined, { result }: OutcomeEntry): void {
    if (!step || result.kind !== 'done') return;
    const person = phoneOf(step);
    if (step.step === 'authenticate') this.#linked.add(person);
    if (step.step === 'confirmOtp' && result.values.token !== undefined)
      this.#tokens.set(result.values.token, person);
    if (step.step !== 'reportLink' && step.step !== 'confirmOtp') return;
    const isDue = !this.#saved.has(step) && (step.step === 'reportLink' || this.#linked.has(person));
    if (isDue) this.#steps.set(person, step);
    else this.#steps.delete(person);
  }

  /** The step whose save this is, if it is due; else `under`, the step under way. */
  dueStep({ facts: { call } }: ExchangeEntry, under: StepEntry | undefined): StepEntry | undefined {
    if (call?.token === undefined || call.exchangeToken !== undefined) return under;
    const due = this.#steps.get(this.#tokens.get(call.token) ?? '');
    if (!due || !under) return due ?? under;
    // A report or a sign-in of the same person may be the second attempt, which saves at last.
    const isAnother = under.step === 'reportLink' || under.step === 'confirmOtp';
    return isAnother && phoneOf(under) === phoneOf(due) ? under : due;
  }

  saved(step: StepEntry, { facts: { call } }: ExchangeEntry): void {
    if (call?.token === undefined || call.exchangeToken !== undefined) return;
    this.#saved.add(step);
    const person = phoneOf(step);
    if (this.#steps.get(person) === step) this.#steps.delete(person);
  }
}

/** Only these steps make an authorization server call the EHR server. */
const CALLING_STEPS: ReadonlySet<string> = new Set(clientSteps);

/** The key of a person on each device. */
const phoneOf = (step: StepEntry) => step.phone ?? personOf(step);

/** The key of a person: a name such as "user" means another person in each scenario. */
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
