/**
 * Makes a case that stands alone: plays the check on the party and on a right one, finds what tells them
 * apart, writes it as a script, and removes calls while the script still tells them apart.
 */
import { SERVER_OUTPUT } from '../journal/output/output-watch.ts';
import type { Run } from '../journal/run-file.ts';
import { actedTraceOf } from './acted/acted-trace.ts';
import { choicesOf } from './acted/choices.ts';
import { differences, type Fact, sentenceOf } from './fact.ts';
import { factsOf } from './facts/facts.ts';
import { failing } from './failing.ts';
import { runScript } from './run-script.ts';
import { needsOf, scriptOf } from './script.ts';
import { Tap } from './tap.ts';
import { type Case, type CaseOptions, type Stand, type Told, Untellable } from './told.ts';
import { narrowed, withKeys } from './trace/narrowed.ts';
import { traceOf } from './trace/trace.ts';
import type { Sides, Trace, TracedCall } from './trace/traced-call.ts';

export { type CaseParty, type Stand, type Told, Untellable } from './told.ts';

/** @throws Untellable when the check does not fail, or when no sentence of a script tells the fault */
export async function makeCase(options: CaseOptions): Promise<Case> {
  const { check, party, right, sides } = options;
  const { told, tap, run, played: failed } = await failing(options);
  const whole = traceIn({ tap, run }, told.scenario, sides);
  const near = new Set(
    whole.calls.flatMap(({ key, seqs }) =>
      seqs.some((seq) => told.finding.evidence.includes(seq)) ? [key] : [],
    ),
  );
  const wrong = narrowed(whole, near);
  const rightTap = new Tap();
  const rightRun = await right.play(failed, rightTap);
  const played = new Set(wrong.calls.map(({ key }) => key));
  const fine = withKeys(traceIn({ tap: rightTap, run: rightRun }, told.scenario, sides), played);
  const found = differences(factsOf(fine), factsOf(wrong), { near, played });
  const usable = right.isAlike ? found : found.filter(({ isPortable }) => isPortable);
  if (usable.length === 0) throw new Untellable(`${check.id} cannot be told as a case: ${whyNot(told, run)}`);
  const stand = await party.stand();
  const rightStand = await right.stand();
  try {
    const parts = stand.parts(told);
    const facts: Fact[] = [];
    for (const fact of usable.slice(0, MAX_SOUGHT)) {
      // Lets Ctrl-C through: following the values of many calls takes its time.
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
      const isOneMore = facts.filter(({ key }) => key === fact.key).length >= MAX_OF_CALL;
      if (!isOneMore && needsOf(wrong, fact, parts)) facts.push(fact);
      if (facts.length === MAX_FACTS) break;
    }
    return await smallest({ ...options, wrong, fine, told, stand, rightStand, facts });
  } finally {
    await stand.close();
    await rightStand.close();
  }
}

/** The trace of one scenario: of the script's calls, or of what a person does. */
function traceIn({ tap, run }: { tap: Tap; run: Run }, scenario: string, sides: Sides): Trace {
  const { acts } = sides;
  if (acts) return actedTraceOf(tap.tapped, scenario, { ...sides, acts });
  return traceOf(tap.tapped, run.entries, scenario, sides);
}

/** Why no call differs from that of a right party. */
function whyNot({ finding, scenario }: Told, { entries }: Run): string {
  const isOutput = entries.some(
    (entry) =>
      entry.kind === 'observation' && entry.label === SERVER_OUTPUT && finding.evidence.includes(entry.seq),
  );
  return isOutput
    ? 'it judges what the server writes to its output, which no caller of it sees.'
    : `no call or message of its scenario ${scenario} differs from that of a right party. It judges a load, or many values together.`;
}

/** So many differences are tried for some that a script can show. Those that say most come first. */
const MAX_SOUGHT = 200;
/** So many of them are of one call: where these show nothing, others of it hardly do. */
const MAX_OF_CALL = 4;
/** With so many of these, scripts are made and played. */
const MAX_FACTS = 14;

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
const MAX_CALLS = 160;

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
