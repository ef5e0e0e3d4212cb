import { expect, test } from 'vitest';
import { loadAdapter } from './roles/auth-server/adapter/file/load.ts';
import { keptOverRestart } from './roles/auth-server/flows/links/kept-over-restart.ts';
import { playAll } from './roles/auth-server/people/play.ts';
import { judge } from './roles/judge.ts';
import { inDirectory } from './testing/cli.ts';
import { openTestRun } from './testing/open-test-run.ts';
import { type PlainFile, writePlainFile } from './testing/plain-file.ts';

/** Plays the restart on the plain JavaScript example, with its file changed by `change`. */
function outcomes(change: (file: PlainFile) => void): Promise<Record<string, string>> {
  return inDirectory(async (directory) => {
    const run = await openTestRun(await loadAdapter(writePlainFile(directory, change), {}));
    try {
      await playAll(run.driver, [keptOverRestart]);
      const meta = run.meta({ tool: 'test', finished: true });
      // A busy machine does not change what the server remembers.
      const entries = run.bed.recorder.entries().filter(({ kind }) => kind !== 'silence');
      return Object.fromEntries(
        judge({ meta, entries })
          .filter(({ check }) => CHECKS.includes(check))
          .map(({ check, outcome }) => [check, outcome]),
      );
    } finally {
      await run.close();
    }
  });
}

const CHECKS = ['link-kept-over-restart'];

test('a restart of the server shows what it had in memory alone', async () => {
  const found = await outcomes(({ server }) => delete server.start?.keeps);
  expect(found).toEqual(Object.fromEntries(CHECKS.map((check) => [check, 'warning'])));
});

test('a server whose file says that it keeps nothing is not started again', async () => {
  expect(await outcomes(() => undefined)).toEqual(
    Object.fromEntries(CHECKS.map((check) => [check, 'not applicable'])),
  );
});
