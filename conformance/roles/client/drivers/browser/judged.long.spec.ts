import { expect, test } from '@playwright/test';
import { startProgram } from '#testing/programs/program.ts';
import { browserFlows } from '../../flows/browser.ts';

test('the project’s web client is judged in a browser', async () => {
  const directory = test.info().outputPath('report');
  const only = ['form-sent-once', ...browserFlows.map(({ id }) => id)].join(',');
  const files = ['--config', 'conformance/examples/web-client.yaml', '--report', directory];
  const command = ['scripts/run.mjs', 'conformance/main.ts', 'client', ...files, '--only', only];
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined };
  const { code, text } = await startProgram(command, { env }).ended;
  expect(text).toContain('4 passed, 0 failed');
  expect(code).toBe(0);
});
