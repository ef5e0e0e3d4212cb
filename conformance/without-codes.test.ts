/** A server without codes: what can go wrong in the calls that it has is played all the same. */
import { expect, test } from 'vitest';
import { example, inDirectory, readReport, runCli } from './testing/cli.ts';

const CHECKS = [
  'doubled-members-not-confused',
  'foreign-origin-not-allowed',
  'malformed-refused',
  'nothing-done-by-get',
  'session-token-drawn-by-server',
  'text-plain-refused',
];

test('odd requests are played on the calls of a server without codes', { timeout: 120_000 }, () =>
  inDirectory(async (directory) => {
    const about = ['--only', CHECKS.join(','), '--report', directory];
    const { output } = await runCli('auth-server', '--config', example('test-login.yaml'), ...about);
    const { verdicts } = readReport(directory);
    expect(verdicts.map(({ check, outcome }) => `${check} ${outcome}`).sort(), output).toEqual(
      CHECKS.map((check) => `${check} pass`),
    );
  }),
);
