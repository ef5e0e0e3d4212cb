/** `npm run e2e`: the end-to-end flows alone, in-process and in a real browser. */
import { Command } from 'commander';
import { provideBrowser } from './testing/browser.ts';
import type { Counts } from './testing/junit.ts';
import { stopWithUs } from './testing/run-command.ts';
import { conclude, runSuite } from './testing/suites.ts';
import { browserSuite, vitestSuite } from './testing/tools.ts';

type Options = { headed?: boolean; grep?: string; only?: 'flows' | 'browser' };

const command = new Command('npm run e2e --')
  .description('Runs the end-to-end flows: over HTTP by vitest, and in a real browser by Playwright.')
  .argument('[files...]', 'only test files whose path contains one of these')
  .option('-g, --grep <text>', 'only tests whose title contains this')
  .option('--only <suite>', 'flows or browser')
  .option('--headed', 'show the browser')
  .parse();

stopWithUs();
process.exitCode = await e2e(command.args, command.opts<Options>());

async function e2e(files: readonly string[], { headed = false, grep, only }: Options): Promise<number> {
  const counts: Counts[] = [];
  if (only !== 'browser') counts.push(await runSuite(vitestSuite({ title: 'flows', directory: 'e2e', files, grep })));
  if (only !== 'flows') {
    const browser = await provideBrowser().catch((error: Error) => error);
    if (browser instanceof Error) process.stdout.write(`${browser.message}\n`);
    counts.push(
      browser instanceof Error
        ? { passed: 0, failed: 1, skipped: 0 }
        : await runSuite(browserSuite({ browser, headed, files, grep })),
    );
  }
  process.stdout.write('\nReports: test-results/ (vitest.xml, playwright.xml)\n');
  process.stdout.write('Browser tests in detail: npx playwright show-report test-results/playwright-report\n');
  return conclude(counts);
}
