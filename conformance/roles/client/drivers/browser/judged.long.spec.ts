import { expect, test } from '@playwright/test';
import { example, startCli } from '../../../../testing/cli.ts';
import { browserFlows } from '../../flows/browser.ts';

test('the project’s web client is judged in a browser', async () => {
  const directory = test.info().outputPath('report');
  const only = ['form-sent-once', ...browserFlows.map(({ id }) => id)].join(',');
  const config = example('web-client.yaml');
  const { code, output } = await startCli(
    ...['client', '--config', config, '--only', only, '--report', directory],
  ).ended;
  expect(output).toContain('4 passed, 0 failed');
  expect(code).toBe(0);
});
