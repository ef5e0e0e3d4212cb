/**
 * `npm run e2e`: runs only the end-to-end flows, over HTTP and in a real browser. Lists them as they end, and
 * writes one page of all.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { PartyFiles } from '#e2e/parties/load.ts';
import { type FlowResult, flowIn } from '#e2e/report/flow-result.ts';
import { toolCommand, UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { makeDirectory, requireFile, temporaryDirectory } from '#service/process/writing.ts';
import type { RecordedFlow } from '#testing/recorded-flow.ts';
import { flowFiles } from './e2e/flow-files.ts';
import { root } from './set-up.mjs';
import { provideBrowser } from './testing/browser.ts';
import type { Counts } from './testing/junit.ts';
import { stopWithUs } from './testing/run-command.ts';
import { conclude, runSuite } from './testing/suites.ts';
import { browserSuite, type Listing, vitestSuite } from './testing/tools.ts';

type Options = {
  headed?: boolean;
  grep?: string;
  only?: 'flows' | 'browser';
  page: string;
  authServer?: string;
  ehrServer?: string;
  client?: string;
};

const command = toolCommand('npm run e2e --')
  .description('Runs the end-to-end flows: over HTTP by vitest, and in a real browser by Playwright.')
  .argument(
    '[files...]',
    'only test files of e2e/ whose path contains one of these; with another party: names of flows',
  )
  .allowExcessArguments(true)
  .option('-g, --grep <text>', 'only tests whose title contains this')
  .addOption(new Option('--only <suite>', 'one of the two alone').choices(['flows', 'browser']))
  .option('--headed', 'show the browser')
  .option('--page <file>', 'where the page of all flows and their messages goes', 'test-results/flows.html')
  .option('--auth-server <file>', 'play the flows with this authorization server instead of ours')
  .option('--ehr-server <file>', 'play the flows with this EHR server instead of ours')
  .option('--client <file>', 'play the flows with this client instead of ours')
  .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 used wrongly.')
  .parse();

const options = command.opts<Options>();
const files: PartyFiles = {
  ...(options.authServer !== undefined && { 'auth-server': options.authServer }),
  ...(options.ehrServer !== undefined && { 'ehr-server': options.ehrServer }),
  ...(options.client !== undefined && { client: options.client }),
};
if (Object.keys(files).length === 0) {
  stopWithUs();
  process.exitCode = await e2e(command.args, options);
} else if (options.only === 'browser' || options.headed) {
  process.stderr.write('The browser tests look at the page of our own client, with our own servers.\n');
  process.exitCode = UNUSABLE_COMMAND_LINE;
} else {
  // Loads the kit, which help and refusals do not need.
  const { playReplaced } = await import('./e2e/replaced.ts');
  process.exitCode = await playReplaced({ ...options, files, names: command.args, grep: options.grep });
}

async function e2e(parts: readonly string[], { headed = false, grep, only, page }: Options): Promise<number> {
  const results: FlowResult[] = [];
  const onLine = (line: string) => {
    const result = flowIn(line);
    if (!result) return;
    results.push(result);
    process.stdout.write(`${rowOf(result)}\n`);
  };
  const file = resolve(root, page);
  requireFile('--page', file);
  const recording = temporaryDirectory('recording-');
  process.on('exit', () => rmSync(recording, { recursive: true, force: true }));
  const listing = { recording, onLine };
  const counts = await runSuites(parts, { headed, grep, only, listing, directory: dirname(file) });
  if (counts.every(({ passed, failed }) => passed + failed === 0)) {
    process.stderr.write(`${noneFits(parts, grep)}\n`);
    return UNUSABLE_COMMAND_LINE;
  }
  const { flowsOf, flowsPage } = await import('#e2e/report/flows-page.ts');
  const text = flowsPage(flowsOf(inOrder(results), recordedIn(recording)));
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, text);
    process.stdout.write(`\nAll flows with their messages: ${page}\n`);
  } catch (error) {
    // The flows were listed, and count without their page.
    process.stderr.write(`Failed to write the page of all flows: ${(error as Error).message}.\n`);
  }
  process.stdout.write(`Reports: ${dirname(page)} (vitest.xml, playwright.xml)\n`);
  process.stdout.write('Browser tests in detail: npx playwright show-report test-results/playwright-report\n');
  return conclude(counts);
}

type SuitesOptions = {
  headed: boolean;
  grep: string | undefined;
  only: Options['only'] | undefined;
  listing: Listing;
  directory: string;
};

/** Runs the chosen suites. Their reports go beside the page, so that no run overwrites those of another. */
async function runSuites(
  parts: readonly string[],
  { headed, grep, only, listing, directory }: SuitesOptions,
): Promise<Counts[]> {
  const overHttp = only === 'browser' ? [] : flowFiles('.test.ts', parts);
  const inBrowser = only === 'flows' ? [] : flowFiles('.spec.ts', parts);
  const counts: Counts[] = [];
  if (overHttp.length > 0) {
    const report = join(directory, 'vitest.xml');
    counts.push(await runSuite(vitestSuite({ title: 'flows', files: overHttp, grep, listing, report })));
  }
  if (inBrowser.length > 0) {
    const browser = await provideBrowser().catch((error: Error) => error);
    if (browser instanceof Error) process.stdout.write(`${browser.message}\n`);
    const report = join(directory, 'playwright.xml');
    counts.push(
      browser instanceof Error
        ? { passed: 0, failed: 1, skipped: 0 }
        : await runSuite(browserSuite({ browser, headed, files: inBrowser, grep, listing, report })),
    );
  }
  return counts;
}

function rowOf({ file, title, passed, seconds }: FlowResult): string {
  const short = file.replace(/^e2e\//, '').replace(/\.(test|spec)\.ts$/, '');
  return `  ${passed ? '✓' : '✗'} ${seconds.toFixed(1).padStart(5)} s  ${short}: ${title}`;
}

function noneFits(parts: readonly string[], grep: string | undefined): string {
  const where =
    parts.length === 0 ? '' : ` in a file of e2e/ whose path contains ${parts.map((part) => `"${part}"`).join(' or ')}`;
  const which = grep === undefined ? 'There is no test' : `No test has "${grep}" in its title`;
  return `${which}${where}. Please look at the titles that npm run e2e lists.`;
}

function recordedIn(directory: string): RecordedFlow[] {
  return readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as RecordedFlow);
}

/**
 * Sorts for a reader: first the flows, then the browser, then the rest. Within a file the order is that of
 * the source, because tests run in any order.
 */
function inOrder(results: readonly FlowResult[]): FlowResult[] {
  const starts = ['e2e/flows/', 'e2e/scripted/', 'e2e/browser/', ''];
  const rank = (file: string) => starts.findIndex((start) => file.startsWith(start));
  const sources = new Map(results.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  const place = ({ file, title }: FlowResult) => placeOf(title.split(' > ').at(-1) ?? '', sources.get(file) ?? '');
  return [...results].sort(
    (a, b) =>
      rank(a.file) - rank(b.file) ||
      a.file.localeCompare(b.file) ||
      place(a) - place(b) ||
      a.title.localeCompare(b.title),
  );
}

/**
 * Returns the position of a title in a source. For a title made at run time, returns that of its longest
 * known beginning.
 */
function placeOf(title: string, source: string): number {
  for (let length = title.length; length > 0; length--) {
    const at = source.indexOf(title.slice(0, length));
    if (at >= 0) return at;
  }
  return source.length;
}
