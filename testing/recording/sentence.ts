/** Says in one sentence what a failed test has seen: nothing of the test runners. */
import { availableParallelism, loadavg } from 'node:os';
import { HANGS } from '../runner/signs-of-life.ts';

export type TestError = {
  readonly message?: string | undefined;
  readonly actual?: unknown;
  readonly expected?: unknown;
};

const MAX_SENTENCE_CHARS = 300;
const MAX_VALUE_CHARS = 100;

/** Colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;

export function sentenceOf(error: TestError): string {
  const message = (error.message ?? '')
    .replace(COLOURS, '')
    .trim()
    .replace(/^Error: /, '');
  return short(
    timeOut(message) ?? comparison(error, message) ?? onPage(message) ?? firstLine(message),
    MAX_SENTENCE_CHARS,
  );
}

/** Returns the remark for a time-out that may be due to the machine. */
export function busyRemark(sentence: string): string | undefined {
  if (!sentence.startsWith('Time-out')) return undefined;
  const cores = availableParallelism();
  const [load = 0] = loadavg();
  if (load <= BUSY * cores) return undefined;
  return `The machine was busy: a load of ${load.toFixed(0)} on ${count(cores)}. Please play it again when it is quiet.`;
}

/** From this load on each core a machine counts as busy. The run itself has two or three. */
const BUSY = 4;

function timeOut(message: string): string | undefined {
  if (/^Test timeout of 1ms exceeded/.test(message)) return HANGS;
  const [, ms] = /(?:timed out in |timeout of )(\d+)ms/.exec(message) ?? [];
  return ms === undefined ? undefined : `Time-out: a step took longer than ${Number(ms) / 1_000} s.`;
}

/** Of vitest: the two values. */
function comparison({ actual, expected }: TestError, message: string): string | undefined {
  if (actual === undefined || expected === undefined || !/^expected /.test(message)) return undefined;
  return `It is ${shown(actual)}; right is ${shown(expected)}.`;
}

/** Of Playwright: what was looked for, and the two values. */
function onPage(message: string): string | undefined {
  if (!message.startsWith('expect(')) return undefined;
  const line = (name: string) => new RegExp(`^${name}[^:\\n]*: *(.+)$`, 'm').exec(message)?.[1];
  const where = line('Locator');
  const right = line('Expected') ?? /^ *- {2,}(?!Expected)(.+)$/m.exec(message)?.[1];
  const seen = line('Received') ?? line('Error') ?? /^ *\+ {2,}(?!Received)(.+)$/m.exec(message)?.[1];
  const place = where === undefined ? 'It' : `On the page ${where}`;
  return `${place} is ${short(seen ?? 'another', MAX_VALUE_CHARS)}; right is ${short(right ?? 'none', MAX_VALUE_CHARS)}.`;
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line === '' ? 'The test failed without a word.' : line;
}

function shown(value: unknown): string {
  const text = String(value).replaceAll(/\s+/g, ' ');
  const [, reason] = /"reason": "(\w+)"/.exec(text) ?? [];
  return reason === undefined ? short(text, MAX_VALUE_CHARS) : `a refusal as ${reason}`;
}

const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const count = (cores: number) => `${cores} ${cores === 1 ? 'core' : 'cores'}`;
