/** What a terminal shows of a run. */
import { count } from '#conformance/engine/report/words.ts';
import { type Difference, sentenceOf } from './difference.ts';

export type Told = {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly failure?: Failure | undefined;
};

/** The causes that are told on a terminal; the page has all. With their lines a run stays below 60. */
const MAX_CAUSES = 6;
/** The longest list of the flows of one cause. */
const MAX_NAMES_CHARS = 160;

/** One flow, such as `  ✓   0.6 s  flows/flows: first-link: …`. */
export function flowRow({ file, title, passed, seconds }: Told): string {
  return `${sign(passed)} ${time(seconds)}  ${shortName(file)}: ${title}`;
}

export function fileRows(flows: readonly Told[]): string[] {
  return [...new Set(flows.map(({ file }) => file))].map((file) => {
    const own = flows.filter((flow) => flow.file === file);
    const failed = own.filter(({ passed }) => !passed).length;
    const seconds = own.reduce((sum, flow) => sum + flow.seconds, 0);
    const counts = `${own.length - failed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
    return `${sign(failed === 0)} ${time(seconds)}  ${shortName(file).padEnd(30)} ${counts}`;
  });
}

export function failureLines(flows: readonly Told[]): string[] {
  const causes = causesOf(flows);
  const untold = causes.slice(MAX_CAUSES);
  const more = untold.length > 0 && [
    '',
    `And ${count(untold.length, 'further cause')}, in ${count(untold.flatMap((cause) => cause.flows).length, 'flow')}: see the page.`,
  ];
  return [...causes.slice(0, MAX_CAUSES).flatMap(causeLines), ...(more || [])];
}

function causeLines(cause: Cause<Told>): string[] {
  const [sentence, ...further] = linesOf(cause);
  const { flows } = cause;
  return [
    '',
    `✗ ${sentence}`,
    ...[...further, `In ${count(flows.length, 'flow')}: ${namesOf(flows)}`].map(indented),
  ];
}

const indented = (line: string) => `    ${line}`;

function namesOf(flows: readonly Told[]): string {
  let names = '';
  for (const [index, flow] of flows.entries()) {
    const name = nameOf(flow);
    if (index > 0 && names.length + name.length > MAX_NAMES_CHARS)
      return `${names}, and ${flows.length - index} more`;
    names += `${index > 0 ? ', ' : ''}${name}`;
  }
  return names;
}

/** The name of a flow of `e2e/flows/`; else file and title. */
export function nameOf({ file, title }: Pick<Told, 'file' | 'title'>): string {
  return /^[a-z][a-z-]*(?=: )/.exec(title)?.[0] ?? `${shortName(file)}: ${title}`;
}

export function shortName(file: string): string {
  return file.replace(/^e2e\//, '').replace(/\.(test|spec)\.ts$/, '');
}

const sign = (passed: boolean) => `  ${passed ? '✓' : '✗'}`;
const time = (seconds: number) => `${seconds.toFixed(1).padStart(5)} s`;

export type Failure = {
  readonly sentence: string;
  readonly difference?: Difference | undefined;
  /** A further remark, such as that the machine was busy. */
  readonly remark?: string | undefined;
};

export function linesOf({ sentence, difference, remark }: Failure): string[] {
  const message = difference && `The first differing message: ${sentenceOf(difference)}`;
  return [sentence, message, remark].filter((line) => line !== undefined);
}

export const textOf = (failure: Failure): string => linesOf(failure).join('\n');

type Cause<F> = Failure & { readonly flows: readonly F[] };

/** Flows have one cause when the same message differs, or else when they have seen the same. */
export function causesOf<F extends { readonly failure?: Failure | undefined }>(
  flows: readonly F[],
): Cause<F>[] {
  const causes = new Map<string, Failure & { flows: F[] }>();
  for (const flow of flows) {
    if (!flow.failure) continue;
    const key = flow.failure.difference?.text ?? flow.failure.sentence.replaceAll(/\d+/g, '#');
    const known = causes.get(key);
    if (known) known.flows.push(flow);
    else causes.set(key, { ...flow.failure, flows: [flow] });
  }
  return [...causes.values()].sort((a, b) => b.flows.length - a.flows.length);
}
