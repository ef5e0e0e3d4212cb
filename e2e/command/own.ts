/** `npm run e2e` with our own parties: runs the suites, and writes terminal, page and JUnit reports. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { progress } from '#scripts/set-up/progress.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { provideBrowser } from '#scripts/test/browser.ts';
import { type Command, runCommand } from '#scripts/test/run-command.ts';
import { conclude } from '#scripts/test/suites.ts';
import { playwright, vitest } from '#scripts/test/tools.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/command-line/settings.ts';
import { makeDirectory, requireFile, temporaryDirectory } from '#service/process/files/writing.ts';
import type { RecordedFlow } from '#testing/recording/recorded-flow.ts';
import { busyRemark } from '#testing/recording/sentence.ts';
import { differenceOf, keepMessages, rightMessages } from '../report/difference.ts';
import { type FlowResult, flowIn } from '../report/flow-result.ts';
import { caseOf, type Flow, flowsPage, writeReports } from '../report/flows-page.ts';
import { failureLines, fileRows, flowRow } from '../report/terminal.ts';

export type OwnOptions = {
  pathParts: readonly string[];
  headed: boolean;
  grep: string | undefined;
  only: 'flows' | 'browser' | undefined;
  page: string;
  keepMessages: boolean;
};

export async function playOwn(options: OwnOptions): Promise<number> {
  const { pathParts, grep, only, headed, page } = options;
  const overHttp = only === 'browser' ? [] : flowFiles('.test.ts', pathParts);
  const inBrowser = only === 'flows' ? [] : flowFiles('.spec.ts', pathParts);
  if (overHttp.length + inBrowser.length === 0) return nothingFits(pathParts, undefined);
  requireFile('--page', resolve(page));
  const recording = temporaryDirectory('recording-');
  process.on('exit', () => rmSync(recording, { recursive: true, force: true }));
  const browser = inBrowser.length === 0 ? '' : await provideBrowser().catch((error: Error) => error);
  const run = new OwnRun(recording, options);
  if (browser instanceof Error) run.problems.push(browser.message);
  const choice = (runner: Runner, files: string[]) => ({
    grep,
    files,
    report: join(recording, 'junit', runner),
    listing: { recording, onLine: run.onLineOf(runner) },
  });
  const begun: Promise<void>[] = [];
  if (overHttp.length > 0) begun.push(run.suite('vitest', vitest('flows', choice('vitest', overHttp))));
  if (inBrowser.length > 0 && !(browser instanceof Error))
    begun.push(run.suite('playwright', playwright(browser, choice('playwright', inBrowser), headed)));
  // A browser waits for half of its time.
  await Promise.all(begun);
  run.hideProgress();
  if (grep !== undefined && run.isEmpty) return nothingFits(pathParts, grep);
  return run.end();
}

/** Says that there is no such test. Returns the exit code. */
function nothingFits(pathParts: readonly string[], grep: string | undefined): number {
  const named = pathParts.map((part) => `"${part}"`).join(' or ');
  const where = pathParts.length === 0 ? '' : ` in a file of e2e/ whose path contains ${named}`;
  const which = grep === undefined ? 'There is no test' : `No test has "${grep}" in its title`;
  const files = [...flowFiles('.test.ts', []), ...flowFiles('.spec.ts', [])];
  const names = files.map((file) => `  ${file.slice(root.length + 1)}\n`).join('');
  process.stderr.write(`${which}${where}. The files are:\n${names}`);
  return UNUSABLE_COMMAND_LINE;
}

type Runner = 'vitest' | 'playwright';

type SeenFlow = FlowResult & { readonly runner: Runner; readonly remark: string | undefined };

/** A flow with its messages, and the reason where it failed. */
type ToldFlow = Flow & Pick<RecordedFlow, 'calls'> & { readonly runner: Runner };

class OwnRun {
  readonly problems: string[] = [];
  readonly #recording: string;
  readonly #options: OwnOptions;
  /** Whether only some flows run, which are then listed one by one. */
  readonly #isChosen: boolean;
  readonly #seen: SeenFlow[] = [];
  readonly #shown: ReturnType<typeof progress> | undefined;

  constructor(recording: string, options: OwnOptions) {
    this.#recording = recording;
    this.#options = options;
    this.#isChosen = options.pathParts.length > 0 || options.grep !== undefined;
    this.#shown = process.stderr.isTTY && !this.#isChosen ? progress('Playing the flows') : undefined;
  }

  get isEmpty(): boolean {
    return this.#seen.length + this.problems.length === 0;
  }

  readonly onLineOf = (runner: Runner) => (line: string) => {
    const result = flowIn(line);
    if (!result) return;
    this.#seen.push({ ...result, runner, remark: busyRemark(result.sentence ?? '') });
    if (this.#isChosen) process.stdout.write(`${flowRow(result)}\n`);
    const failed = this.#seen.filter(({ passed }) => !passed).length;
    this.#shown?.note(`${this.#seen.length - failed} passed, ${failed} failed`);
  };

  hideProgress(): void {
    this.#shown?.clear();
  }

  async suite(runner: Runner, command: Command): Promise<void> {
    const { code, output } = await runCommand(command);
    const own = inOrder(this.#seen.filter((result) => result.runner === runner));
    if (!this.#isChosen) for (const row of fileRows(own)) process.stdout.write(`${row}\n`);
    // A title that is looked for may stand in the tests of the other runner.
    const isComplete = own.length > 0 || this.#options.grep !== undefined;
    if (own.some(({ passed }) => !passed) || (code === 0 && isComplete)) return;
    const file = join('test-results', `${runner}.txt`);
    makeDirectory(join(root, 'test-results'));
    writeFileSync(join(root, file), output);
    this.problems.push(
      `The test runner ${runner} ended with ${code} and ${own.length} tests. What it wrote: ${file}`,
    );
  }

  end(): number {
    const flows = this.#flows();
    const lines = [
      '',
      ...reportsOf(flows, this.#options.page),
      ...failureLines(flows),
      ...this.problems.flatMap((problem) => ['', `✗ ${problem}`]),
      '',
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    const passed = flows.filter((flow) => flow.passed).length;
    const failed = flows.length - passed + this.problems.length;
    if (this.#options.keepMessages && failed === 0) keepMessages(flows);
    return conclude([{ passed, failed }]);
  }

  /** Joins the results with what was recorded, and explains the failed ones. */
  #flows(): ToldFlow[] {
    const recorded = recordedIn(this.#recording);
    return inOrder(this.#seen).map((result) => {
      const own = recorded.find(({ file, title }) => file === result.file && title === result.title);
      const { entries = [], calls = [] } = own ?? {};
      // The record of a test is masked. The test runner's own sentence may come from the time after the test.
      const sentence = own?.sentence ?? result.sentence ?? 'The test failed without a word.';
      const right = rightMessages(result);
      const difference = right && calls.length > 0 ? differenceOf(calls, right) : undefined;
      const failure = result.passed ? undefined : { sentence, difference, remark: result.remark };
      return { ...result, entries, calls, failure };
    });
  }
}

function reportsOf(flows: readonly ToldFlow[], page: string): string[] {
  const runners = [...new Set(flows.map(({ runner }) => runner))];
  const suites = runners.map((name) => {
    const own = flows.filter(({ runner }) => runner === name);
    return [name, own.map((flow) => caseOf(flow))] as const;
  });
  return writeReports(page, flowsPage(flows), Object.fromEntries(suites));
}

function recordedIn(directory: string): RecordedFlow[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as RecordedFlow);
}

/** What `npm run e2e` plays, in the order of a reader. The other tests in `e2e/` are of the harness. */
const PLAYED = ['flows', 'browser', 'threats'].map((folder) => join('e2e', folder));

/** Absolute paths of the flows whose path contains one of `pathParts`; of all when there are none. */
export function flowFiles(ending: '.test.ts' | '.spec.ts', pathParts: readonly string[]): string[] {
  return PLAYED.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(ending))
    .filter((path) => pathParts.length === 0 || pathParts.some((part) => path.includes(part)))
    .map((path) => join(root, path));
}

/** Sorts for a reader, within a file as in the source: the tests run in any order. */
function inOrder<R extends FlowResult>(results: readonly R[]): R[] {
  const rank = (file: string) => PLAYED.findIndex((folder) => file.startsWith(folder));
  return results.toSorted(
    (a, b) =>
      rank(a.file) - rank(b.file) ||
      a.file.localeCompare(b.file) ||
      a.place - b.place ||
      a.title.localeCompare(b.title),
  );
}
