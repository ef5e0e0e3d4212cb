/**
 * Runs the fuzzer: sends inputs in rounds until the time is over. fast-check draws them, and makes each one
 * that breaks something as small as it goes.
 */
import fc from 'fast-check';
import type { Clock } from '#protocol/time/clock.ts';
import { type FuzzedParty, type FuzzFinding, type Input, type Level, writeFinding } from './input.ts';
import { rawInputs } from './raw-inputs.ts';
import { rpcInputs, sequenceInputs } from './rpc-inputs.ts';
import type { FuzzSubject } from './subject.ts';
import { tryOne } from './trial.ts';

export type CampaignOptions = {
  seed: number;
  /** The run ends when one of the two limits is reached: milliseconds, or number of inputs. */
  timeMs: number;
  inputs: number;
  clock: Clock;
  /** Starts a fresh party each time. A remote server is used as it is. */
  start: () => Promise<FuzzSubject>;
  /** The directory in which findings are written. */
  directory: string;
  signal: AbortSignal;
  onProgress: (inputs: number, findings: number) => void;
  onFinding: (finding: FuzzFinding, file: string) => void;
};

export type CampaignReport = { inputs: Record<Level, number>; findings: FuzzFinding[] };

const INPUTS_PER_ROUND = 48;
/** The run ends after this many findings: most of them have one cause. */
const MAX_FINDINGS = 10;
/** Time (ms) in which an input that breaks something is made smaller. */
const MAX_SHRINK_MS = 120_000;

/** The inputs that can be judged: sequences only where the database can be read. */
export function inputsFor(party: FuzzedParty, path: string, hasProbe: boolean): fc.Arbitrary<Input> {
  const single = [
    { weight: 3, arbitrary: rawInputs(party, path) },
    { weight: 4, arbitrary: rpcInputs(party) },
  ];
  return hasProbe ? fc.oneof(...single, { weight: 1, arbitrary: sequenceInputs }) : fc.oneof(...single);
}

/** Runs until a limit is reached. Stops the party in every case. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { clock, onProgress } = options;
  const began = clock.now();
  const campaign = new Campaign(options, await options.start());
  const { report } = campaign;
  const isOver = () =>
    campaign.sent >= options.inputs ||
    clock.now() - began >= options.timeMs ||
    report.findings.length >= MAX_FINDINGS ||
    options.signal.aborted;
  try {
    for (let round = 0; !isOver(); round++) {
      await campaign.play(round);
      onProgress(campaign.sent, report.findings.length);
    }
    return report;
  } finally {
    await campaign.subject.stop();
  }
}

class Campaign {
  readonly report: CampaignReport = { inputs: { raw: 0, rpc: 0, sequence: 0 }, findings: [] };
  sent = 0;
  subject: FuzzSubject;
  readonly #options: CampaignOptions;
  readonly #inputs: fc.Arbitrary<Input>;

  constructor(options: CampaignOptions, subject: FuzzSubject) {
    this.#options = options;
    this.subject = subject;
    this.#inputs = inputsFor(subject.party, subject.endpoint.pathname, subject.probe !== undefined);
  }

  /** Sends inputs until one breaks something, which is made small and written down. */
  async play(round: number): Promise<void> {
    const { seed, directory, onFinding } = this.#options;
    const result = await fc.check(
      fc.asyncProperty(this.#inputs, (input) => this.#attempt(input)),
      {
        seed: seed + round,
        numRuns: Math.min(INPUTS_PER_ROUND, this.#options.inputs - this.sent),
        interruptAfterTimeLimit: MAX_SHRINK_MS,
      },
    );
    const [input] = result.counterexample ?? [];
    if (!input) return;
    const broke = String((result.errorInstance as Error | undefined)?.message).split('\n');
    const alone = (await tryOne(this.subject, input)).length > 0;
    const finding: FuzzFinding = { party: this.subject.party, seed, index: round, broke, alone, input };
    this.report.findings.push(finding);
    onFinding(finding, writeFinding(directory, finding));
    await this.#startAnew();
  }

  async #attempt(input: Input): Promise<void> {
    this.report.inputs[input.level]++;
    this.sent++;
    const broke = await tryOne(this.subject, input);
    if (broke.length === 0) return;
    await this.#startAnew();
    throw new Error(broke.join('\n'));
  }

  async #startAnew(): Promise<void> {
    await this.subject.stop();
    this.subject = await this.#options.start();
  }
}
