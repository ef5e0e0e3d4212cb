/** Finds the first fact that a script tells, and the fewest calls with which it does. */
import { choicesOf } from '../acted/choices.ts';
import type { Fact } from '../fact.ts';
import type { ScriptEnd } from '../run-script.ts';
import { needsOf, type ScriptParts, scriptOf } from '../script.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';

export type Trying = {
  wrong: Trace;
  /** The trace of the right party, whose scripts are made of it; undefined: those of the party serve. */
  fine: Trace | undefined;
  parts: ScriptParts;
  rightParts: ScriptParts;
  /** Those that say most come first. */
  facts: readonly Fact[];
  /** Takes why a fact was not told. */
  reasons: string[];
  /** The assertion for a fact in one sentence. */
  sentenceFor: (fact: Fact) => string;
  /** Takes what is being done. */
  onDoing?: ((what: string) => void) | undefined;
  /** Plays a script on the party, and on the right one. */
  onParty: (script: string) => Promise<ScriptEnd>;
  onRight: (script: string) => Promise<ScriptEnd>;
  /** Whether a person plays the party, who is not asked for more plays than one that tells. */
  isByHand: boolean;
  signal: AbortSignal;
};

/** A script that fails on the party and holds on the right one. */
export type Smallest = { script: string; calls: readonly TracedCall[]; fact: Fact };

/** Returns the script; undefined where none tells the parties apart. */
export async function smallest(trying: Trying): Promise<Smallest | undefined> {
  for (const [index, fact] of trying.facts.entries()) {
    trying.onDoing?.(`trying difference ${index + 1} of ${trying.facts.length}: ${fact.text}`);
    const tried = await triedFact(trying, fact);
    if (!tried) continue;
    const calls = trying.isByHand ? tried : await shrunk(trying, fact, tried);
    const script = written(trying, fact, calls);
    if (script === undefined) continue;
    if (trying.isByHand || (await tells(trying, fact, calls)) === true) return { script, calls, fact };
  }
  return undefined;
}

/**
 * The calls with which this fact tells the parties apart: first those alone that it needs. Of attempts that
 * do not, the reason of the last is kept: a smaller one may fail only because a call was left out.
 */
async function triedFact(trying: Trying, fact: Fact): Promise<readonly TracedCall[] | undefined> {
  const { wrong, parts, reasons } = trying;
  const needs = needsOf(wrong, fact, parts);
  if (!needs) {
    reasons.push(`"${fact.text}" needs a value that no answer has`);
    return undefined;
  }
  let reason: string | undefined;
  for (const calls of choicesOf(wrong.calls, needs)) {
    if (calls.length > MAX_CALLS) continue;
    const how = await tells(trying, fact, calls);
    if (how === true) return calls;
    reason = how;
  }
  if (reason !== undefined) reasons.push(reason);
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
      trying.onDoing?.(`leaving out calls: ${calls.length} are left`);
      const fewer = calls.filter((_, index) => index < at || index >= at + size);
      if (isWhole(trying, fact, fewer) && (await tells(trying, fact, fewer)) === true) {
        calls = fewer;
        at = Math.min(at, calls.length);
      }
    }
  return calls;
}

/** Whether these calls get all values that they send from each other. */
function isWhole({ wrong, parts }: Trying, fact: Fact, calls: readonly TracedCall[]): boolean {
  const all = needsOf(wrong, fact, parts);
  const indexes = new Set(calls.map((call) => wrong.calls.indexOf(call)));
  if (!all || [...all.asked].some((index) => !indexes.has(index))) return false;
  return [...indexes].every((index) => (all.ofCall.get(index) ?? []).every((need) => indexes.has(need)));
}

/** Whether a script of these calls fails on the party, and holds on the right one; else why not. */
async function tells(trying: Trying, fact: Fact, calls: readonly TracedCall[]): Promise<true | string> {
  const script = written(trying, fact, calls);
  const rightScript = rightWritten(trying, fact, calls);
  if (script === undefined || rightScript === undefined) return 'it needs a value that no answer has';
  trying.signal.throwIfAborted();
  // Nobody is asked to play what does not hold on the right party.
  const right = trying.onRight(rightScript);
  if (trying.isByHand && (await right).code !== 0) return 'it does not hold on the right party';
  const [ended, fine] = await Promise.all([trying.onParty(script), right]);
  if (ended.code !== 1) return `on the party: ${ended.said.trim()}`;
  return fine.code === 0 ? true : `on the right party: ${fine.said.trim()}`;
}

const written = ({ wrong, parts, sentenceFor }: Trying, fact: Fact, calls: readonly TracedCall[]) =>
  scriptOf({ ...wrong, calls }, fact, parts, sentenceFor(fact));

/** The script for the right party: the same one where it has the same interface, else its own such calls. */
function rightWritten(trying: Trying, fact: Fact, calls: readonly TracedCall[]): string | undefined {
  const { fine, rightParts, sentenceFor } = trying;
  if (!fine) return written(trying, fact, calls);
  const keys = new Set(calls.map(({ key }) => key));
  const own = fine.calls.filter(({ key }) => keys.has(key));
  return scriptOf({ ...fine, calls: own }, fact, rightParts, sentenceFor(fact));
}
