/** `npm run e2e` with our own parties: runs the suites, and writes terminal, page and JUnit reports. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { progress } from '#scripts/set-up/progress.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { provideBrowser } from '#scripts/test/browser.ts';
import { junitReport } from '#scripts/test/junit.ts';
import { runCommand } from '#scripts/test/run-command.ts';
import { conclude, type Suite } from '#scripts/test/suites.ts';
import { browserSuite, vitestSuite } from '#scripts/test/tools.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { makeDirectory, requireFile, temporaryDirectory, writeWhole } from '#service/process/writing.ts';
import type { RecordedFlow } from '#testing/recorded-flow.ts';
import { textOf } from '../report/causes.ts';
import { differenceOf } from '../report/difference.ts';
import { type FlowResult, flowIn } from '../report/flow-result.ts';
import { type Flow, flowsPage } from '../report/flows-page.ts';
import { keepMessages, rightMessages } from '../report/right-flows.ts';
import { busyRemark } from '../report/sentence.ts';
import { failureLines, fileRows, flowRow } from '../report/terminal.ts';
import { flowFiles } from './flow-files.ts';
import { inOrder } from './order.ts';
import { nearestTitles } from './titles.ts';

export type OwnOptions = {
  /** Only test files whose path contains one of these; all unless given. */
  parts: readonly string[];
  headed: boolean;
  grep: string | undefined;
  only: 'flows' | 'browser' | undefined;
  /** Where the page goes, relative to the root of the project. */
  page: string;
  /** Keeps the messages of the run as those of the right flows. */
  keepMessages: boolean;
};

/** @returns the exit code */
export async function playOwn(options: OwnOptions): Promise<number> {
  const { parts, grep, only } = options;
  const overHttp = only === 'browser' ? [] : flowFiles('.test.ts', parts);
  const inBrowser = only === 'flows' ? [] : flowFiles('.spec.ts', parts);
  const files = [...overHttp, ...inBrowser];
  if (files.length === 0) return nothingFits(parts, undefined, []);
  const nearest = grep === undefined ? undefined : await nearestTitles(grep, files);
  if (nearest) return nothingFits(parts, grep, nearest);
  requireFile('--page', resolve(root, options.page));
  const recording = temporaryDirectory('recording-');
  process.on('exit', () => rmSync(recording, { recursive: true, force: true }));
  const run = new Run(recording, parts.length > 0 || grep !== undefined);
  const report = join(recording, 'junit', 'report.xml');
  const given = { grep, report, listing: { recording, onLine: (line: string) => run.onLine(line) } };
  if (overHttp.length > 0) await run.suite('vitest', vitestSuite({ ...given, title: 'flows', files: overHttp }));
  if (inBrowser.length > 0) {
    const browser = await provideBrowser().catch((error: Error) => error);
    if (browser instanceof Error) run.problem(browser.message);
    else await run.suite('playwright', browserSuite({ ...given, browser, headed: options.headed, files: inBrowser }));
  }
  return run.end(options);
}

/** Says that there is no such test. Returns the exit code. */
function nothingFits(parts: readonly string[], grep: string | undefined, nearest: readonly string[]): number {
  const named = parts.map((part) => `"${part}"`).join(' or ');
  const where = parts.length === 0 ? '' : ` in a file of e2e/ whose path contains ${named}`;
  const which = grep === undefined ? 'There is no test' : `No test has "${grep}" in its title`;
  const files = [...flowFiles('.test.ts', []), ...flowFiles('.spec.ts', [])];
  const names = nearest.length > 0 ? nearest : files.map((file) => file.slice(root.length + 1));
  const what = nearest.length > 0 ? 'The nearest titles are' : 'The files are';
  process.stderr.write(`${which}${where}. ${what}:\n${names.map((name) => `  ${name}\n`).join('')}`);
  return UNUSABLE_COMMAND_LINE;
}

type Runner = 'vitest' | 'playwright';

/** What a run has seen so far. */
class Run {
  readonly #recording: string;
  readonly #isChosen: boolean;
  readonly #results: (FlowResult & { readonly runner: Runner; readonly remark: string | undefined })[] = [];
  readonly #problems: string[] = [];
  #runner: Runner = 'vitest';
  #shown: ReturnType<typeof progress> | undefined;

  /** @param isChosen whether only some flows run, which are then listed one by one */
  constructor(recording: string, isChosen: boolean) {
    this.#recording = recording;
    this.#isChosen = isChosen;
  }

  onLine(line: string): void {
    const result = flowIn(line);
    if (!result) return;
    this.#results.push({ ...result, runner: this.#runner, remark: busyRemark(result.sentence ?? '') });
    if (this.#isChosen) process.stdout.write(`${flowRow(result)}\n`);
    const failed = this.#results.filter(({ passed }) => !passed).length;
    this.#shown?.note(`${this.#results.length - failed} passed, ${failed} failed`);
  }

  problem(sentence: string): void {
    this.#problems.push(sentence);
  }

  async suite(runner: Runner, { command }: Suite): Promise<void> {
    this.#runner = runner;
    const isShown = process.stderr.isTTY && !this.#isChosen;
    this.#shown = isShown ? progress(runner === 'vitest' ? 'Flows over HTTP' : 'Flows in the browser') : undefined;
    const { code, output } = await runCommand(command);
    this.#shown?.clear();
    const own = inOrder(this.#results.filter((result) => result.runner === runner));
    if (!this.#isChosen) for (const row of fileRows(own)) process.stdout.write(`${row}\n`);
    if (own.some(({ passed }) => !passed) || (code === 0 && own.length > 0)) return;
    const file = join('test-results', `${runner}.txt`);
    makeDirectory(join(root, 'test-results'));
    writeFileSync(join(root, file), output);
    this.problem(`The test runner ${runner} ended with ${code} and ${own.length} tests. What it wrote: ${file}`);
  }

  /** Writes the reports. Returns the exit code. */
  end({ page, keepMessages: isKept }: OwnOptions): number {
    const flows = this.#flows();
    const lines = [
      '',
      ...writeReports(flows, page),
      ...failureLines(flows),
      ...this.#problems.flatMap((problem) => ['', `✗ ${problem}`]),
      '',
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    const failed = flows.filter(({ passed }) => !passed).length;
    if (isKept && failed + this.#problems.length === 0) keepMessages(flows);
    return conclude([{ passed: flows.length - failed, failed: failed + this.#problems.length, skipped: 0 }]);
  }

  /** Joins the results with what was recorded, and explains the failed ones. */
  #flows(): (Flow & { runner: Runner; calls: RecordedFlow['calls'] })[] {
    const recorded = recordedIn(this.#recording);
    return inOrder(this.#results).map((result) => {
      const own = recorded.find(({ file, title }) => file === result.file && title === result.title);
      const { entries = [], calls = [] } = own ?? {};
      // The record of a test is masked. What the test runner says besides is of the time after the test.
      const sentence = own?.sentence ?? result.sentence ?? 'The test failed without a word.';
      const right = rightMessages(result);
      const difference = right && calls.length > 0 ? differenceOf(calls, right) : undefined;
      const failure = result.passed ? undefined : { sentence, difference, remark: result.remark };
      return { ...result, entries, calls, failure };
    });
  }
}

/** Writes the page, and beside it the JUnit reports. Returns the lines that name them. */
function writeReports(flows: readonly (Flow & { runner: Runner })[], page: string): string[] {
  const file = resolve(root, page);
  const runners = [...new Set(flows.map(({ runner }) => runner))];
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, flowsPage(flows));
    for (const runner of runners) {
      const own = flows.filter((flow) => flow.runner === runner);
      writeWhole(join(dirname(file), `${runner}.xml`), junitReport(runner, own.map(caseOf)));
    }
  } catch (error) {
    // The flows are listed, and count without their reports.
    return [`Failed to write the reports: ${(error as Error).message}.`];
  }
  return [
    `All flows with their messages: ${pathToFileURL(file).href}`,
    `Reports: ${dirname(page)} (${runners.map((runner) => `${runner}.xml`).join(', ')})`,
  ];
}

function caseOf({ file, title, seconds, failure }: Flow) {
  return { group: file, name: title, seconds, sentence: failure?.sentence, failure: failure && textOf(failure) };
}

function recordedIn(directory: string): RecordedFlow[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as RecordedFlow);
}
