/** What a timing run found, as text for a terminal. */
import { type Comparison, THRESHOLD } from './compare.ts';
import type { Finding, Verdict } from './run.ts';

const INSTRUMENTS = { http: 'over HTTP on loopback', pipeline: 'in-process, through the pipeline' } as const;

/** The lines of one comparison. */
export function findingText({ instrument, subject, method, kinds, secret, comparison }: Finding): string {
  const { n, medians, medianDifference, t, z, ks, toldApart } = comparison;
  const title = `${subject === 'control' ? 'positive control, ' : ''}${method} ${INSTRUMENTS[instrument]}`;
  return [
    title,
    `  ${kinds[0]} (n ${n[0]}, median ${ns(medians[0])}) / ${kinds[1]} (n ${n[1]}, median ${ns(medians[1])})`,
    `  medians differ by ${ns(medianDifference)}; t ${t.toFixed(2)}, Mann-Whitney z ${z.toFixed(2)}, Kolmogorov-Smirnov D ${ks.distance.toFixed(4)} (p ${ks.probability.toPrecision(2)})`,
    `  ${toldApart ? 'TOLD APART' : 'cannot be told apart'}: ${needText(comparison, secret)}`,
    '',
  ].join('\n');
}

/** The last line of a run. */
export function verdictText(verdict: Verdict, calls: number): string {
  switch (verdict) {
    case 'cannot be told apart':
      return `Verdict: no pair can be told apart by ${calls} calls (|t| and |z| below ${THRESHOLD}), and the positive control was.`;
    case 'told apart':
      return `Verdict: told apart. A pair above has |t| or |z| of ${THRESHOLD} or more, or distributions that differ as surely; by chance that is seen a few times in a million.`;
    case 'inconclusive':
      return 'Verdict: inconclusive. The positive control, whose early returns are known, was not told apart: the machine is too busy for so few calls. Please give more --calls, or try when it is quiet.';
  }
}

function needText({ needs }: Comparison, secret: string): string {
  return 'calls' in needs
    ? `about ${needs.calls} calls like these, on this machine, show ${secret}`
    : `these calls would have shown ${ns(needs.difference)} on average; less than that hides ${secret}`;
}

function ns(value: number): string {
  return `${Math.round(value).toLocaleString('en-US')} ns`;
}
