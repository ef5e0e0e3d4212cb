import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectServesUnread, startUnread } from '#testing/programs/unread.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

test.each([
  ['mock-auth-server/main.ts', 'SIGINT'],
  ['mock-client/main.ts', 'SIGHUP'],
] as const)('%s serves without a reader until %s, and ends with code 0', expectServesUnread);

const PLAIN = 'conformance/examples/plain-js.yaml';

test('a run that nobody reads is played to its end, and reported', async () => {
  const reports = temporaryFolder();
  const only = ['--only', 'link-recorded', '--report', reports];
  expect(
    await startUnread(['conformance/main.ts', 'auth-server', '--config', PLAIN, ...only]).ended,
  ).toMatchObject({ code: 0 });
  expect(existsSync(join(reports, 'report.html'))).toBe(true);
});
