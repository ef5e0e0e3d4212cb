/**
 * Runs the fuzzer: sends inputs in rounds until the time is over. fast-check draws them, and makes each one
 * that breaks something as small as it goes.
 */
import fc from 'fast-check';
import type { Clock } from '#protocol/time/clock.ts';
import { type Finding, type Input, type Level, type Party, writeFinding } from './input.ts';
import { rawInputs } from './raw-inputs.ts';
import { rpcInputs, sequenceInputs } from './rpc-inputs.ts';
import type { Subject } from './subject.ts';
import { tryOne } from './trial.ts';

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
  signal: AbortSignal;
  onProgress: (inputs: number, findings: number) => void;
  onFinding: (finding: Finding, file: string) => void;
};

export type Report = { inputs: Record<Level, number>; findings: Finding[] };

const INPUTS_PER_ROUND = 48;
/** The run ends after this many findings: most of them have one cause. */
const MAX_FINDINGS = 10;
/** Time (ms) in which an input that breaks something is made smaller. */
const MAX_SHRINK_MS = 120_000;

/** The inputs that can be judged: sequences only where the database can be read. */
export function inputsFor(party: Party, path: string, hasProbe: boolean): fc.Arbitrary<Input> {
  const single = [
    { weight: 3, arbitrary: rawInputs(party, path) },
    { weight: 4, arbitrary: rpcInputs(party) },
  ];
  return hasProbe ? fc.oneof(...single, { weight: 1, arbitrary: sequenceInputs }) : fc.oneof(...single);
}

/** Runs until a limit is reached. Stops the party in every case. */
export async function runCampaign(options: CampaignOptions): Promise<Report> {
  const { seed, clock, start, signal, onProgress } = options;
  const report: Report = { inputs: { raw: 0, rpc: 0, sequence: 0 }, findings: [] };
  const began = clock.now();
  let subject = await start();
  let sent = 0;
  const fresh = async () => {
    await subject.stop();
    subject = await start();
  };
  const attempt = async (input: Input) => {
    report.inputs[input.level]++;
    sent++;
    const broke = await tryOne(subject, input);
    if (broke.length === 0) return;
    await fresh();
    throw new Error(broke.join('\n'));
  };
  const inputs = inputsFor(subject.party, subject.endpoint.pathname, subject.probe !== undefined);
  const isOver = () =>
    sent >= options.inputs ||
    clock.now() - began >= options.timeMs ||
    report.findings.length >= MAX_FINDINGS ||
    signal.aborted;
  try {
    for (let round = 0; !isOver(); round++) {
      const result = await fc.check(fc.asyncProperty(inputs, attempt), {
        seed: seed + round,
        numRuns: Math.min(INPUTS_PER_ROUND, options.inputs - sent),
        interruptAfterTimeLimit: MAX_SHRINK_MS,
      });
      const [input] = result.counterexample ?? [];
      if (input) {
        const broke = String((result.errorInstance as Error | undefined)?.message).split('\n');
        const again = await tryOne(subject, input);
        const finding: Finding = {
          party: subject.party,
          seed,
          index: round,
          broke,
          alone: again.length > 0,
          input,
        };
        report.findings.push(finding);
        options.onFinding(finding, writeFinding(options.directory, finding));
        await fresh();
      }
      onProgress(sent, report.findings.length);
    }
    return report;
  } finally {
    await subject.stop();
  }
}
