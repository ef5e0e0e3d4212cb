import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

test('a browser alone is refused for flows that are not on the page', async () => {
  const page = join(temporaryFolder(), 'flows.html');
  const { code, err } = await runHere('e2e/command/installed.ts', [
    ...['log-out', '--only', 'browser', '--page', page],
  ]);
  expect([code, err]).toEqual([2, expect.stringContaining('The flows on the page are first-link,')]);
});
