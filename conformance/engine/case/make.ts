/**
 * Makes a case that stands alone: plays the check on the party and on a right one, finds what tells them
 * apart, writes it as a script, and removes calls while the script still tells them apart.
 */
import type { Check } from '../check/check.ts';
import { judge } from '../check/judge.ts';
import type { Finding } from '../check/verdict.ts';
import { InputError } from '../journal/input-file.ts';
import type { Run } from '../journal/run-file.ts';
import { actedTraceOf } from './acted/acted-trace.ts';
import { choicesOf } from './acted/choices.ts';
import { differences, type Fact, sentenceOf } from './fact.ts';
import { factsOf } from './facts/facts.ts';
import { runScript } from './run-script.ts';
import { needsOf, type ScriptParts, scriptOf } from './script.ts';
import { Tap } from './tap.ts';
import { type Sides, type Trace, type TracedCall, traceOf } from './trace.ts';

/** A party that is started alone, for the scripts. */
export type Stand = {
  parts: (about: Told) => ScriptParts;
  /** Environment variables that the script needs: addresses and secrets. */
  env: Readonly<Record<string, string>>;
  /** Gives it a fresh state before a script; absent where it keeps what it has. */
  reset?(): Promise<void>;
  close(): Promise<unknown>;
};

/** A party on which a case is made, or compared. */
export type CaseParty = {
  /** Plays the scenarios of this check. */
  play(check: Check, tap: Tap): Promise<Run>;
  stand(): Promise<Stand>;
};

/** What the head of a script says. */
export type Told = { check: Check; finding: Finding & { outcome: 'fail' }; scenario: string };

export type CaseOptions = {
  check: Check;
  /** The name of the party in findings. */
  blamed: string;
  party: CaseParty;
  /** A right party. `isAlike`: its interface is that of the party, so that a script can be played on both. */
  right: CaseParty & { isAlike: boolean };
  sides: Sides;
  signal: AbortSignal;
};

/** A case, and how many calls it has. */
export type Case = { script: string; calls: number; told: Told; sentence: string };

/** This check cannot be told as a case; the message says why. */
export class Untellable extends InputError {}

/** @throws Untellable when the check does not fail, or when no sentence of a script tells the fault */
export async function makeCase(options: CaseOptions): Promise<Case> {
  const { check, party, right, sides } = options;
  const { told, tap, run, played: failed } = await failing(options);
  const wrong = traceIn({ tap, run }, told.scenario, sides);
  if (wrong.calls.length > MAX_TRACED)
    throw new Untellable(
      `${check.id} cannot be told as a case: its scenario ${told.scenario} has ${wrong.calls.length} calls, and what matters is sought among ${MAX_TRACED} at most.`,
    );
  const rightTap = new Tap();
  const rightRun = await right.play(failed, rightTap);
  const fine = traceIn({ tap: rightTap, run: rightRun }, told.scenario, sides);
  const near = new Set(
    wrong.calls.flatMap(({ key, seqs }) =>
      seqs.some((seq) => told.finding.evidence.includes(seq)) ? [key] : [],
    ),
  );
  const played = new Set(wrong.calls.map(({ key }) => key));
  const found = differences(factsOf(fine), factsOf(wrong), { near, played });
  const usable = right.isAlike ? found : found.filter(({ isPortable }) => isPortable);
  if (usable.length === 0)
    throw new Untellable(
      `${check.id} cannot be told as a case: no single call or message of its scenario ${told.scenario} differs from that of a right party. It judges many values, a load or an output together.`,
    );
  const stand = await party.stand();
  const rightStand = await right.stand();
  try {
    const parts = stand.parts(told);
    const facts: Fact[] = [];
    for (const fact of usable.slice(0, MAX_SOUGHT)) {
      // Lets Ctrl-C through: following the values of many calls takes its time.
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
      if (needsOf(wrong, fact, parts)) facts.push(fact);
      if (facts.length === MAX_FACTS) break;
    }
    return await smallest({ ...options, wrong, fine, told, stand, rightStand, facts });
  } finally {
    await stand.close();
    await rightStand.close();
  }
}

/** Among more calls, finding those that matter would take hours. */
const MAX_TRACED = 200;
/** So many differences are tried for some that a script can show. Those that say most come first. */
const MAX_SOUGHT = 60;
/** With so many of these, scripts are made and played. */
const MAX_FACTS = 14;

/** The trace of one scenario: of the script's calls, or of what a person does. */
function traceIn({ tap, run }: Pick<FailingRun, 'tap' | 'run'>, scenario: string, sides: Sides): Trace {
  const { acts } = sides;
  if (acts) return actedTraceOf(tap.tapped, scenario, { ...sides, acts });
  return traceOf(tap.tapped, run.entries, scenario, sides);
}

const oneOf = (check: Check, scenario: string): Check => ({ ...check, scenarios: [scenario] });

/** Checks of more scenarios are not played whole: a single one shows their fault, or none does. */
const MAX_TOGETHER = 5;

/** Plays the scenarios of the check until it fails in one; else all of them together. */
async function failing({ check, party, blamed }: CaseOptions): Promise<FailingRun> {
  const outcomes = new Set<string>();
  const isFew = check.scenarios.length > 1 && check.scenarios.length <= MAX_TOGETHER;
  const choices = check.scenarios.map((scenario) => oneOf(check, scenario));
  for (const played of isFew ? [...choices, check] : choices) {
    const tap = new Tap();
    const run = await party.play(played, tap);
    const [verdict] = judge(run, { checks: [played], party: blamed });
    outcomes.add(verdict?.outcome ?? 'not judged');
    if (verdict?.finding.outcome !== 'fail') continue;
    const { finding } = verdict;
    const step = run.entries.find(({ kind, seq }) => kind === 'step' && finding.evidence.includes(seq));
    const scenario = (step?.kind === 'step' ? step.scenario : undefined) ?? played.scenarios[0] ?? '';
    return { told: { check, finding, scenario }, tap, run, played };
  }
  throw new Untellable(
    `${check.id} does not fail here (${[...outcomes].join(', ')}), so there is nothing to tell.`,
  );
}

type FailingRun = { told: Told; tap: Tap; run: Run; played: Check };

type Trying = CaseOptions & {
  wrong: Trace;
  fine: Trace;
  told: Told;
  stand: Stand;
  rightStand: Stand;
  facts: readonly Fact[];
};

/** Finds the first fact that a script tells, and the fewest calls with which it does. */
async function smallest(trying: Trying): Promise<Case> {
  const { check, wrong, told, facts } = trying;
  const reasons: string[] = [];
  for (const fact of facts) {
    const tried = await triedFact(trying, fact, reasons);
    if (!tried) continue;
    const calls = await shrunk(trying, fact, tried);
    const script = written(trying, fact, calls);
    if (script === undefined || (await tells(trying, fact, calls)) !== true) continue;
    const count = calls.length;
    return { script, calls: count, told, sentence: sentenceOf(told.finding.expected, fact) };
  }
  throw new Untellable(
    `${check.id} cannot be told as a case: of ${wrong.calls.length} calls of its scenario ${told.scenario}, played alone by a script, none shows the fault (${reasons[0] ?? 'no reason'}).`,
  );
}

/** The calls with which this fact tells the parties apart: first those alone that it needs. */
async function triedFact(
  trying: Trying,
  fact: Fact,
  reasons: string[],
): Promise<readonly TracedCall[] | undefined> {
  const { wrong, stand, told } = trying;
  const all = wrong.calls;
  const needs = needsOf(wrong, fact, stand.parts(told));
  if (!needs) {
    reasons.push(`"${fact.text}" needs a value that no answer has`);
    return undefined;
  }
  for (const calls of choicesOf(all, needs)) {
    if (calls.length > MAX_CALLS) continue;
    const how = await tells(trying, fact, calls);
    if (how === true) return calls;
    reasons.push(how);
  }
  return undefined;
}

/** A script with more calls is no case that a person reads, and takes long to shrink. */
const MAX_CALLS = 80;

/** Removes calls, one after another from the last, with those that need them. */
async function shrunk(
  trying: Trying,
  fact: Fact,
  from: readonly TracedCall[],
): Promise<readonly TracedCall[]> {
  let calls = from;
  for (let size = Math.floor(calls.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = calls.length - size; at >= 0; at -= size) {
      const fewer = calls.filter((_, index) => index < at || index >= at + size);
      if (isWhole(trying, fact, fewer) && (await tells(trying, fact, fewer)) === true) {
        calls = fewer;
        at = Math.min(at, calls.length);
      }
    }
  return calls;
}

/** Whether these calls get all values that they send from each other. */
function isWhole({ wrong, stand, told }: Trying, fact: Fact, calls: readonly TracedCall[]): boolean {
  const all = needsOf(wrong, fact, stand.parts(told));
  const indexes = new Set(calls.map((call) => wrong.calls.indexOf(call)));
  if (!all || [...all.asked].some((index) => !indexes.has(index))) return false;
  return [...indexes].every((index) => (all.ofCall.get(index) ?? []).every((need) => indexes.has(need)));
}

/** Whether a script of these calls fails on the party, and holds on the right one; else why not. */
async function tells(trying: Trying, fact: Fact, calls: readonly TracedCall[]): Promise<true | string> {
  const { stand, rightStand } = trying;
  const script = written(trying, fact, calls);
  const rightScript = rightWritten(trying, fact, calls);
  if (script === undefined || rightScript === undefined) return 'it needs a value that no answer has';
  trying.signal.throwIfAborted();
  await Promise.all([stand, rightStand].map((each) => each.reset?.()));
  const [ended, fine] = await Promise.all([
    runScript(script, { ...trying, env: stand.env }),
    runScript(rightScript, { ...trying, env: rightStand.env }),
  ]);
  if (ended.code !== 1) return `on the party: ${ended.said.trim()}`;
  return fine.code === 0 ? true : `on the right party: ${fine.said.trim()}`;
}

const written = ({ wrong, told, stand }: Trying, fact: Fact, calls: readonly TracedCall[]) =>
  scriptOf({ ...wrong, calls }, fact, stand.parts(told), sentenceOf(told.finding.expected, fact));

/** The script for the right party: the same one where it has the same interface, else its own such calls. */
function rightWritten(trying: Trying, fact: Fact, calls: readonly TracedCall[]): string | undefined {
  const { right, fine, told, rightStand } = trying;
  if (right.isAlike) return written(trying, fact, calls);
  const keys = new Set(calls.map(({ key }) => key));
  const own = fine.calls.filter(({ key }) => keys.has(key));
  return scriptOf(
    { ...fine, calls: own },
    fact,
    rightStand.parts(told),
    sentenceOf(told.finding.expected, fact),
  );
}
