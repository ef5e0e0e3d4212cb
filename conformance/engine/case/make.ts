/**
 * Makes a case that stands alone: plays the check on the party and on a right one, finds what tells them
 * apart, writes it as a script, and removes calls while the script still tells them apart.
 */
import type { Check } from '../check/check.ts';
import { SERVER_OUTPUT } from '../journal/output/output-watch.ts';
import type { Run } from '../journal/run-file.ts';
import { JournalView } from '../journal/view.ts';
import { actedTraceOf } from './acted/acted-trace.ts';
import { isOfFinding } from './acted/of-finding.ts';
import { differences, type Fact, sentenceOf } from './fact.ts';
import { factsOf, oppositesOf } from './facts/facts.ts';
import { failing, undisturbed } from './failing.ts';
import { runScript, type ScriptEnd } from './run-script.ts';
import { needsOf, type ScriptParts } from './script.ts';
import { curlCaseOf } from './shell/curl-case.ts';
import { smallest } from './shrink/smallest.ts';
import type { Tap } from './tap.ts';
import { type Case, type CaseOptions, type Stand, type Told, Untellable } from './told.ts';
import { narrowed, withKeys } from './trace/narrowed.ts';
import { traceOf } from './trace/trace.ts';
import type { Sides, Trace } from './trace/traced-call.ts';

/** @throws Untellable when the check does not fail, or when no sentence of a script tells the fault */
export async function makeCase(options: CaseOptions): Promise<Case> {
  const compared = await compare(options);
  const stand = await options.party.stand();
  try {
    const rightStand = await options.right.stand();
    const made = caseOn({ ...options, ...compared, stand, rightStand });
    return await made.finally(() => rightStand.close());
  } finally {
    await stand.close();
  }
}

/** What the party and the right one did in the scenario in which the check fails, and where they differ. */
type Compared = { told: Told; wrong: Trace; fine: Trace; differing: readonly Fact[] };

/** Plays the check on both parties. @throws Untellable when nothing differs that a script could show */
async function compare(options: CaseOptions): Promise<Compared> {
  const { check, right, sides } = options;
  const { told, tap, run, played: failed } = await failing(options);
  const whole = traceIn({ tap, run }, told.scenario, sides);
  const near = new Set(
    whole.calls.flatMap(({ key, seqs }) =>
      seqs.some((seq) => told.finding.evidence.includes(seq)) ? [key] : [],
    ),
  );
  const few = narrowed(whole, near);
  options.onDoing?.('playing the same with a right party');
  const played = new Set(few.calls.map(({ key }) => key));
  const fine = withKeys(traceIn(await rightly(options, failed, told), told.scenario, sides), played);
  const refused = fine.calls.flatMap(({ key, result }) => (result?.kind === 'done' ? [] : [key]));
  const wrong = { ...few, refused: new Set(refused) };
  const known = new Set(fine.calls.map(({ key }) => key));
  const unasked = wrong.calls.filter(({ key }) => near.has(key) && !known.has(key));
  const found = [...oppositesOf(unasked), ...differences(factsOf(fine), factsOf(wrong), { near, played })];
  const isTold = (fact: Fact) => fact.isPortable && (!sides.acts || isOfFinding(told.finding, fact, near));
  const differing = right.isAlike ? found : found.filter(isTold);
  if (differing.length === 0)
    throw new Untellable(`${check.id} cannot be told as a case: ${whyNot(told, run)}`);
  return { told, wrong, fine, differing };
}

/** Plays the check on the right party. @throws Untellable when that one is not right here */
async function rightly({ right, blamed }: CaseOptions, check: Check, { scenario }: Told) {
  const { tap, run, verdict } = await undisturbed(right, check, blamed);
  const { stopped, notPlayable } = new JournalView(run.entries).ending(scenario) ?? {};
  const found = verdict?.finding.outcome === 'fail' ? verdict.finding.actual : undefined;
  const because = stopped?.because ?? notPlayable ?? found;
  if (because === undefined) return { tap, run };
  throw new Untellable(
    `${check.id} cannot be told as a case: the right party of the kit, with which yours is compared, does not pass it here (${because}).`,
  );
}

/** Finds the shortest script for a difference, on both parties. */
async function caseOn(options: CaseOptions & Compared & { stand: Stand; rightStand: Stand }): Promise<Case> {
  const { check, right, told, wrong, fine, differing, stand, rightStand } = options;
  const { signal, isByCurl, onDoing } = options;
  const [parts, rightParts] = [stand.parts(told), rightStand.parts(told)];
  const facts = await usableFacts(differing, { wrong, parts, signal });
  if (facts.length === 0 && parts.isBlind)
    throw new Untellable(
      `${check.id} cannot be told as a case: the fault shows on the screen, in the log or in the storage of the client, into which a script cannot look.`,
    );
  const sentenceFor = (fact: Fact) => sentenceOf(told.finding.expected, fact);
  const reasons: string[] = [];
  const found = await smallest({
    ...{ wrong, fine: right.isAlike ? undefined : fine, parts, rightParts, facts },
    ...{ reasons, sentenceFor, onDoing },
    ...{ onParty: playedOn(stand, signal), onRight: playedOn(rightStand, signal), signal },
    isByHand: stand.isByHand ?? false,
  });
  if (!found)
    throw new Untellable(
      `${check.id} cannot be told as a case: of ${wrong.calls.length} calls of its scenario ${told.scenario}, played alone by a script, none shows the fault (${reasons[0] ?? 'no reason'}).`,
    );
  const { script, calls, fact } = found;
  const sentence = sentenceFor(fact);
  const about = { trace: { ...wrong, calls }, fact, parts, sentence, signal };
  const isAsked = isByCurl && parts.curlEnd;
  const curl = isAsked ? await curlCaseOf({ ...about, wrong: stand, right: rightStand }) : undefined;
  return { script, calls: calls.length, told, sentence, curl };
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

/** Limits the differences among which those are sought that a script can show. */
const MAX_SOUGHT = 200;
/** Limits those of one call: where these show nothing, others of it hardly do. */
const MAX_OF_CALL = 4;
/** Limits the differences for which scripts are made and played. */
const MAX_FACTS = 14;

/** Chooses the differences that a script can show. */
async function usableFacts(
  found: readonly Fact[],
  { wrong, parts, signal }: { wrong: Trace; parts: ScriptParts; signal: AbortSignal },
): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const fact of found.slice(0, MAX_SOUGHT)) {
    // Lets Ctrl-C through: following the values of many calls takes its time.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const isOneMore = facts.filter(({ key }) => key === fact.key).length >= MAX_OF_CALL;
    const isUnseen = parts.isBlind && fact.isShown;
    if (!isOneMore && !isUnseen && needsOf(wrong, fact, parts)) facts.push(fact);
    if (facts.length === MAX_FACTS) break;
  }
  return facts;
}

/** Plays scripts on a party that is started, each from a fresh state where it has one. */
const playedOn =
  (stand: Stand, signal: AbortSignal) =>
  async (script: string): Promise<ScriptEnd> => {
    await stand.reset?.();
    return runScript(script, { env: stand.env, signal, person: stand.person });
  };
