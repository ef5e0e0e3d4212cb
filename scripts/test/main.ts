/** `npm test` and `npm run test:all`: run the checks and the suites, and count what passed and failed. */
import { InvalidArgumentError } from 'commander';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { provideBrowser } from './browser.ts';
import { slowestFiles, type TestCounts } from './counts.ts';
import { type Command, stopWithUs } from './run-command.ts';
import { conclude, runChecks, runSuite } from './suites.ts';
import { checks, playwright, selfTests, vitest } from './tools.ts';

const PARTS = ['checks', 'unit', 'browser'] as const;
type Part = (typeof PARTS)[number];
type Options = { only?: Part[]; all: boolean; slow: boolean };

const REPORTS = 'test-results';
/** Time zone of all tests, west of UTC. Tests of dates run in one east of it, too: see vitest.config.ts. */
const WEST = 'America/Los_Angeles';

const { only, all, slow } = toolCommand('npm test --')
  .description(
    'Runs the checks (types, lint, project rules, dead code, documents), the vitest tests and the browser tests.',
  )
  .option('--only <parts>', `only some of ${PARTS.join(', ')}; comma-separated`, readParts)
  .option(
    '--all',
    'also what takes long, as npm run test:all does: the files named *.long.*, the whole self-test of the kit',
    false,
  )
  .option('--slow', 'name the ten slowest files of each part at the end', false)
  .addHelpText(
    'after',
    '\nReports: test-results/ (JUnit: checks.xml, vitest.xml, playwright.xml; HTML: playwright-report/).',
  )
  .parse()
  .opts<Options>();

// Files named `*.long.*` are chosen by it: see vitest.config.ts and playwright.config.ts.
if (all) process.env.TEST_ALL = '1';
stopWithUs();
process.exitCode = await test(only ?? PARTS);

async function test(parts: readonly Part[]): Promise<number> {
  const counts: TestCounts[] = [];
  const suites: string[] = [];
  // Checked first, so that a missing browser is reported before the suites have run.
  const browser = parts.includes('browser') ? await provideBrowser().catch((error: Error) => error) : '';
  if (browser instanceof Error) {
    process.stdout.write(`${browser.message}\n`);
    return conclude([{ passed: 0, failed: 1 }]);
  }
  const run = async (part: Part, name: string, suite: (report: string) => Command) => {
    const report = `${REPORTS}/${name}`;
    if (!parts.includes(part)) return;
    counts.push(await runSuite(suite(report), `${report}.json`));
    suites.push(`${report}.json`);
  };
  // A browser waits for a third of its time, so all else is played beside it.
  const besideBrowser = async () => {
    if (parts.includes('checks')) counts.push(await runChecks(checks, `${REPORTS}/checks.xml`));
    // They go on from what the check of types keeps.
    await run('unit', 'vitest', (report) => vitest('unit and flow tests', { report }, WEST));
  };
  await Promise.all([
    besideBrowser(),
    run('browser', 'playwright', (report) => playwright(browser, { report })),
  ]);
  if (all && only === undefined) counts.push(await runChecks(selfTests, `${REPORTS}/self-tests.xml`));
  if (slow) for (const suite of suites) process.stdout.write(slowestFiles(suite));
  return conclude(counts);
}

function readParts(text: string): Part[] {
  const parts = text.split(',').map((part) => part.trim());
  const unknown = parts.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${PARTS.join(', ')}.`);
  return parts as Part[];
}
