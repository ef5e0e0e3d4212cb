import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { example, inDirectory, readReport, runCli } from './testing/cli.ts';

const RUN = { timeout: 120_000 };
const FAULTY = ['auth-server', '--config', example('plain-js-faulty.yaml')];
const SAID = ['--reason', 'ticket "12": #1', '--until', '2999-03-31'];

test('a run writes its list, passes with it, and takes off what is fixed', RUN, () =>
  inDirectory(async (directory) => {
    const known = join(directory, 'known.yaml');
    const only = ['--only', 'used-code-refused,link-recorded', '--report', directory];
    const first = await runCli(...FAULTY, ...only, '--baseline-write', known, ...SAID);
    expect(first.code, first.output).toBe(1);
    expect(first.output).toContain(`\nAdded 1 known failure to ${known}: used-code-refused.\n`);
    const text = readFileSync(known, 'utf8');
    expect((await runCli(...FAULTY, ...only, '--baseline', known)).code).toBe(0);

    const passing = readReport(directory).verdicts.find(({ outcome }) => outcome === 'pass')?.check;
    const fixed = `# ours\n${passing}: mended, until 2999-03-31\n`;
    writeFileSync(known, `${text}${fixed}`);
    const run = join(directory, 'run.json');
    const replayed = ['replay', run, '--only', 'used-code-refused,link-recorded', '--baseline', known];
    expect((await runCli(...replayed)).code).toBe(1);
    const { code, output } = await runCli(...replayed, '--baseline-prune');
    expect(output).toContain(`\nFixed, and taken off ${known}: ${passing}.\n`);
    expect([code, readFileSync(known, 'utf8')]).toEqual([0, text]);
  }),
);

test.each([
  ['auth-server', 'plain-js.yaml'],
  ['ehr-server', 'plain-ehr.yaml'],
  ['client', 'plain-client.yaml'],
])('the role %s refuses a list without a reason before it plays', RUN, (role, config) =>
  inDirectory(async (directory) => {
    const known = join(directory, 'known.yaml');
    const report = join(directory, 'report');
    const { code, output } = await runCli(
      ...[role, '--config', example(config), '--report', report, '--baseline-write', known],
    );
    expect(output).toContain('--baseline-write needs more: please give --reason TEXT and --until DAY too.');
    expect([code, existsSync(report)]).toEqual([2, false]);
  }),
);
