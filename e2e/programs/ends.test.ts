/** Ends that are not Ctrl-C: nobody reads what a program writes, or another signal asks it to end. */
import { expect, test } from 'vitest';
import { expectServesUnread, startUnread } from '#testing/programs/use-program.ts';

const RUN = { timeout: 120_000 };

test('help that nobody reads ends quietly', RUN, async () => {
  expect(await startUnread(['site/docs/main.ts', '--help']).ended).toEqual({ code: 0, complaints: '' });
});

test('a server serves without a reader until SIGTERM, and ends with code 0', RUN, () =>
  expectServesUnread('ehr-server/main.ts', 'SIGTERM'),
);
