/**
 * Playwright settings: the client runs in a real browser, against servers that each spec starts on free
 * ports.
 */
import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/test/browser.ts';

const executablePath = process.env.E2E_BROWSER || findBrowser();

/** Path of the reports. */
const report = process.env.PLAYWRIGHT_REPORT ?? 'test-results/playwright-by-hand';

export default defineConfig({
  testMatch: [
    'e2e/browser/**/*.spec.ts',
    'e2e/report/*.spec.ts',
    'mock-auth-server/**/*.spec.ts',
    'conformance/**/*.spec.ts',
    'console/**/*.spec.ts',
    'demo/**/*.spec.ts',
    'site/*.spec.ts',
  ],
  // Specs that only `npm run test:all` runs.
  testIgnore: process.env.TEST_ALL === undefined ? ['**/*.long.spec.ts'] : [],
  outputDir: 'test-results/playwright',
  // A worker waits for its browser for half of its time. The checks of `npm test` run beside.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 480_000,
  // For hangs: beside eight busy loops a page is late by twenty seconds.
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ['junit', { outputFile: `${report}.xml` }],
    ['json', { outputFile: `${report}.json` }],
    ['html', { outputFolder: 'test-results/playwright-report', open: 'never' }],
    ...(process.env.E2E_RECORDING === undefined ? [] : ([['./e2e/report/playwright-flows.ts']] as const)),
  ],
  use: {
    ...devices['Desktop Chrome'],
    // A trace keeps each page before and after each action: `--trace retain-on-failure` where a failure needs it.
    trace: 'off',
    screenshot: 'only-on-failure',
    // A new window for each test would take as long as most tests.
    reuseContext: true,
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      // In a container the browser runs as root, which its sandbox refuses.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
