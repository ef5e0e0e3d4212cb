/** A run of the fuzzer: inputs by the round until the time is over, what breaks made small and written down. */
import type { Clock } from '#protocol/clock.ts';
import { type Finding, writeFinding } from './findings.ts';
import { type Generator, generatorOf } from './generate.ts';
import type { Input, RawInput } from './input.ts';
import { minimise } from './minimise.ts';
import type { Subject } from './subject.ts';
import { checkAlive, tryOne, tryTogether } from './trial.ts';

export type CampaignOptions = {
  seed: number;
  /** Ends when one of these is reached: milliseconds, and how many inputs. */
  time: number;
  inputs: number;
  clock: Clock;
  /** Starts the party, afresh each time; a server that is not ours is there already. */
  start: () => Promise<Subject>;
  /** Where findings are written. */
  directory: string;
  signal?: AbortSignal | undefined;
  onProgress: (progress: { inputs: number; elapsed: number; findings: number; memory: number | undefined }) => void;
  onFinding: (finding: Finding, file: string) => void;
};

export type Report = {
  inputs: { raw: number; rpc: number; sequence: number };
  findings: Finding[];
  /** Resident memory in bytes, after the first tenth or so and at the end. */
  memory: { early: number | undefined; late: number | undefined };
};

/** So many inputs are sent between two checks that the party still answers. */
const ROUND = 48;
/** Rounds before memory is first looked at: caches are full by then. */
const WARM = 40;
/** Nobody reads more findings than this; they are mostly one. */
const ENOUGH = 10;
const ATTEMPTS = 400;

/** Runs until the time is over; the party is stopped whatever happens. */
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
    clock.now() - began >= options.time ||
    report.findings.length >= ENOUGH ||
    signal?.aborted === true;
  try {
    for (let index = 0, round = 0; !isOver(index); index += ROUND, round++) {
      const broken = await playRound(subject, generate, index, Math.min(index + ROUND, options.inputs), report);
      if (broken) {
        await subject.stop();
        subject = await start();
        const finding = await explain(subject, generate, broken, options);
        report.findings.push(finding);
        options.onFinding(finding, writeFinding(options.directory, finding));
        await subject.stop();
        subject = await start();
      } else if (round % WARM === WARM - 1) {
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

/** Whether the party, put back where it was, can be sent the next input: starting another takes seconds. */
async function isSound(subject: Subject): Promise<boolean> {
  if (subject.ended() !== undefined) return false;
  subject.probe?.toBase();
  const problems = await checkAlive(subject).catch((error: Error) => [error.message]);
  return problems.length === 0;
}

type Broken = { from: number; index: number; broke: string[] };

/** Sends the inputs of a round; the first one that breaks something ends it. */
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

/** Finds the input of the round that breaks a fresh party by itself, and makes it small; else the input stays as it was. */
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
      const input = await minimise(generate(suspect), async (smaller) => (await fails(smaller)).length > 0, ATTEMPTS);
      return { party: subject.party, seed, index: suspect, broke: problems, alone: true, input };
    }
    return { party: subject.party, seed, index, broke, alone: false, input: generate(index) };
  } finally {
    if (subject !== first) await subject.stop();
  }
}
