/** A whole run: every pair by both instruments, each instrument checked by the positive control. */
import type { Random } from '#protocol/random.ts';
import { type Case, casesOf } from './cases.ts';
import { type Comparison, compare } from './compare.ts';
import { httpInstrument, type Instrument, pipelineInstrument } from './instruments.ts';
import { measure } from './measure.ts';
import { startSubject } from './subject.ts';

export type InstrumentName = 'http' | 'pipeline';

export type Finding = {
  instrument: InstrumentName;
  subject: 'server' | 'control';
  method: string;
  secret: string;
  kinds: [string, string];
  comparison: Comparison;
};

/** `inconclusive`: an instrument did not see the difference that the positive control is known to have. */
export type Verdict = 'cannot be told apart' | 'told apart' | 'inconclusive';

export type RunOptions = {
  calls: number;
  instruments: readonly InstrumentName[];
  random: Random;
  stopwatch: () => number;
  signal?: AbortSignal | undefined;
  /** Hears of each comparison before it begins, then of how many calls are timed. */
  onProgress?: (what: string, done: number) => void;
  onFinding?: (finding: Finding) => void;
};

/** Measures; whatever was started is stopped at the end. */
export async function runTiming(options: RunOptions): Promise<{ findings: Finding[]; verdict: Verdict }> {
  const { random, instruments, onFinding } = options;
  const target = await startSubject(random);
  try {
    const cases = casesOf(target.facts, random);
    const findings: Finding[] = [];
    for (const name of instruments) {
      for (const subject of ['control', 'server'] as const) {
        const instrument =
          name === 'http'
            ? await httpInstrument(target.endpoints[subject])
            : pipelineInstrument(target.pipelines[subject]);
        for (const pair of cases.filter(({ control }) => subject === 'server' || control)) {
          const finding = await look(pair, { name, subject, instrument, options });
          findings.push(finding);
          onFinding?.(finding);
        }
        instrument.close();
      }
    }
    return { findings, verdict: verdictOf(findings) };
  } finally {
    await target.stop();
  }
}

/** Told apart is said before anything else; nothing is said in favour by an instrument that failed its control. */
export function verdictOf(findings: readonly Pick<Finding, 'subject' | 'comparison'>[]): Verdict {
  const by = (subject: Finding['subject']) => findings.filter((finding) => finding.subject === subject);
  if (by('server').some(({ comparison }) => comparison.toldApart)) return 'told apart';
  const controls = by('control');
  const sharp = controls.length > 0 && controls.every(({ comparison }) => comparison.toldApart);
  return sharp && by('server').length > 0 ? 'cannot be told apart' : 'inconclusive';
}

async function look(
  pair: Case,
  {
    name,
    subject,
    instrument,
    options,
  }: { name: InstrumentName; subject: Finding['subject']; instrument: Instrument; options: RunOptions },
): Promise<Finding> {
  const { calls, random, stopwatch, signal, onProgress } = options;
  const [first, second] = pair.kinds;
  const what = `${name}, ${subject}: ${pair.method}, ${first.name} / ${second.name}`;
  onProgress?.(what, 0);
  const times = await measure({
    instrument,
    pair,
    calls,
    random,
    stopwatch,
    signal,
    onProgress: (done) => onProgress?.(what, done),
  });
  const { method, secret } = pair;
  return { instrument: name, subject, method, secret, kinds: [first.name, second.name], comparison: compare(...times) };
}
