import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { example, inDirectory, readReport, runCli } from './testing/cli.ts';

const RUN = { timeout: 120_000 };

test('a run passes with its known failure, and fails by one that passes', RUN, () =>
  inDirectory(async (directory) => {
    const list = join(directory, 'known.yaml');
    const write = (check: string) =>
      writeFileSync(list, `known:\n  - check: ${check}\n    because: ticket 12\n    until: 2999-03-31\n`);
    write('used-code-refused');
    const only = ['--only', 'used-code-refused,link-recorded'];
    const faulty = ['auth-server', '--config', example('plain-js-faulty.yaml'), '--report', directory];
    const { code, output } = await runCli(...faulty, ...only, '--baseline', list);
    expect(code, output).toBe(0);

    const passing = readReport(directory).verdicts.find(({ outcome }) => outcome === 'pass')?.check ?? '';
    write(passing);
    const replayed = await runCli('replay', join(directory, 'run.json'), ...only, '--baseline', list);
    expect(replayed.code).toBe(1);
    expect(replayed.output).toContain(`${passing}: `);
    expect(replayed.output).toContain('it passes now. Please take it off the list.');
  }),
);
