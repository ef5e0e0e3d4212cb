/**
 * Runs the fuzzer: sends inputs in rounds until the time is over, minimises each input that breaks something
 * and saves it.
 */
import type { Clock } from '#protocol/time/clock.ts';
import { type Finding, writeFinding } from './findings.ts';
import { type Generator, generatorOf } from './generate.ts';
import type { Input, RawInput } from './input.ts';
import { minimise } from './minimise.ts';
import type { Subject } from './subject.ts';
import { checkAlive, tryOne, tryTogether } from './trial.ts';

export type CampaignOptions = {
  seed: number;
  /** The run ends when one of the two limits is reached: milliseconds, or number of inputs. */
  timeMs: number;
  inputs: number;
  clock: Clock;
  /** Starts a fresh party each time. A remote server is used as it is. */
  start: () => Promise<Subject>;
  /** The directory in which findings are written. */
  directory: string;
  signal?: AbortSignal | undefined;
  onProgress: (progress: { inputs: number; elapsed: number; findings: number; memory: number | undefined }) => void;
  onFinding: (finding: Finding, file: string) => void;
};

export type Report = {
  inputs: { raw: number; rpc: number; sequence: number };
  findings: Finding[];
  /** Resident memory in bytes, after about a tenth of the run and at its end. */
  memory: { early: number | undefined; late: number | undefined };
};

/** Inputs sent between two checks that the party still answers. */
const INPUTS_PER_ROUND = 48;
/** Rounds before memory is first measured: caches are full by then. */
const WARM_UP_ROUNDS = 40;
/** The run ends after this many findings: most of them have one cause. */
const MAX_FINDINGS = 10;
const MAX_MINIMISE_ATTEMPTS = 400;

/** Runs until a limit is reached. Stops the party in every case. */
export async function runCampaign(options: CampaignOptions): Promise<Report> {
  const { seed, clock, start, signal } = options;
  const report: Report = {
    inputs: { raw: 0, rpc: 0, sequence: 0 },
    findings: [],
    memory: { early: undefined, late: undefined },
  };
  const began = clock.now();
  let subject = await start();
  const generate = generatorOf(seed, subject.party, subject.endpoint.pathname, subject.levels);
  const isOver = (index: number) =>
    index >= options.inputs ||
    clock.now() - began >= options.timeMs ||
    report.findings.length >= MAX_FINDINGS ||
    signal?.aborted === true;
  try {
    for (let index = 0, round = 0; !isOver(index); index += INPUTS_PER_ROUND, round++) {
      const broken = await playRound(
        subject,
        generate,
        index,
        Math.min(index + INPUTS_PER_ROUND, options.inputs),
        report,
      );
      if (broken) {
        await subject.stop();
        subject = await start();
        const finding = await explain(subject, generate, broken, options);
        report.findings.push(finding);
        options.onFinding(finding, writeFinding(options.directory, finding));
        await subject.stop();
        subject = await start();
      } else if (round % WARM_UP_ROUNDS === WARM_UP_ROUNDS - 1) {
        report.memory.late = await subject.memory();
        report.memory.early ??= report.memory.late;
      }
      const inputs = report.inputs.raw + report.inputs.rpc + report.inputs.sequence;
      const { length: findings } = report.findings;
      options.onProgress({ inputs, elapsed: clock.now() - began, findings, memory: report.memory.late });
    }
    return report;
  } finally {
    await subject.stop();
  }
}

/**
 * Tells whether the party, restored to its base state, can take the next input. Starting another one takes
 * seconds.
 */
async function isSound(subject: Subject): Promise<boolean> {
  if (subject.ended() !== undefined) return false;
  subject.probe?.toBase();
  const problems = await checkAlive(subject).catch((error: Error) => [error.message]);
  return problems.length === 0;
}

type Broken = { from: number; index: number; broke: string[] };

/** Sends the inputs of a round. The first input that breaks something ends the round. */
async function playRound(
  subject: Subject,
  generate: Generator,
  from: number,
  to: number,
  report: Report,
): Promise<Broken | undefined> {
  const inputs = Array.from({ length: to - from }, (_, offset) => ({
    index: from + offset,
    input: generate(from + offset),
  }));
  for (const { input } of inputs) report.inputs[input.level]++;
  const raw = inputs.filter((item): item is { index: number; input: RawInput } => item.input.level === 'raw');
  const verdicts = await tryTogether(
    subject,
    raw.map(({ input }) => input),
  );
  const broken = raw.map(({ index }, at) => ({ from, index, broke: verdicts[at] as string[] }));
  const first = broken.find(({ broke }) => broke.length > 0);
  if (first) return first;
  for (const { index, input } of inputs) {
    if (input.level === 'raw') continue;
    const broke = await tryOne(subject, input);
    if (broke.length > 0) return { from, index, broke };
  }
  const broke = await checkAlive(subject).catch((error: Error) => [`There was no answer: ${error.message}`]);
  return broke.length > 0 ? { from, index: to - 1, broke } : undefined;
}

/**
 * Finds the input of the round that breaks a fresh party alone, and minimises it. Without such an input,
 * returns the last one unchanged.
 */
async function explain(
  first: Subject,
  generate: Generator,
  { from, index, broke }: Broken,
  { seed, start }: CampaignOptions,
): Promise<Finding> {
  let subject = first;
  const fails = async (input: Input): Promise<string[]> => {
    const problems = await tryOne(subject, input);
    if (problems.length > 0 && !(await isSound(subject))) {
      await subject.stop();
      subject = await start();
    }
    return problems;
  };
  try {
    const suspects = [index, ...Array.from({ length: index - from }, (_, offset) => from + offset)];
    for (const suspect of suspects) {
      const problems = await fails(generate(suspect));
      if (problems.length === 0) continue;
      const input = await minimise(
        generate(suspect),
        async (smaller) => (await fails(smaller)).length > 0,
        MAX_MINIMISE_ATTEMPTS,
      );
      return { party: subject.party, seed, index: suspect, broke: problems, alone: true, input };
    }
    return { party: subject.party, seed, index, broke, alone: false, input: generate(index) };
  } finally {
    if (subject !== first) await subject.stop();
  }
}
