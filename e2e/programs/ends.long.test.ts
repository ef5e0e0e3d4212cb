import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectServesUnread, startUnread } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

test.each([
  ['mock-auth-server/main.ts', 'SIGINT'],
  ['mock-client/main.ts', 'SIGHUP'],
] as const)('%s serves without a reader until %s, and ends with code 0', expectServesUnread);

test('a command that nobody reads has the exit code of its result', async () => {
  const words = ['self-test', '--role', 'ehr-server', '--only', 'no-such-variant'];
  const ended = await startUnread(['conformance/main.ts', ...words]).ended;
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.complaints).not.toMatch(/EPIPE|^ {4}at /m);
});

const PLAIN = 'conformance/examples/plain-js.yaml';

test('a run that nobody reads is played to its end, and reported', async () => {
  const reports = temporaryFolder();
  const only = ['--only', 'link-recorded', '--report', reports];
  expect(
    await startUnread(['conformance/main.ts', 'auth-server', '--config', PLAIN, ...only]).ended,
  ).toMatchObject({ code: 0 });
  expect(existsSync(join(reports, 'report.html'))).toBe(true);
});
