import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '#testing/programs/program.ts';
import { example, inDirectory, runCli } from './testing/cli.ts';

const RUN = { timeout: 120_000 };
const CHECK = 'used-code-refused';

/** The internal password in the file of an example. */
function passwordIn(file: string): string {
  const [, password] = /password: (.+)/.exec(readFileSync(example(file), 'utf8')) ?? [];
  if (password === undefined) throw new Error(`${file} has no password.`);
  return password;
}

test('a failing check is written as one script, without the internal password', RUN, () =>
  inDirectory(async (folder) => {
    const out = join(folder, 'case.mjs');
    const config = example('plain-js-faulty.yaml');
    const { code, output } = await runCli('case', CHECK, '--config', config, '--out', out);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(`Wrote ${out} (3 calls)`) });
    const script = readFileSync(out, 'utf8');
    expect(script).not.toContain(passwordIn('plain-js-faulty.yaml'));
    expect(script).toContain('§1 rule 8');
    // The server was started for the case alone, and is gone.
    const { code: ended, text } = await startProgram([out]).ended;
    expect({ ended, text }).toEqual({ ended: 2, text: expect.stringContaining('nothing answers at http') });
  }),
);

test('of many faults that of the check is told, by curl too', RUN, () =>
  inDirectory(async (folder) => {
    const out = join(folder, 'case.mjs');
    const party = ['--role', 'ehr-server', '--config', example('plain-ehr-faulty.yaml')];
    const { code, output } = await runCli('case', 'exchange-token-used-once', ...party, '--out', out);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^"second use" is refused/m) });
    expect(output).toContain(`Wrote ${out} (3 calls)`);
    expect(output).toContain('which does the same by curl');
    expect(output).toContain('Playing exchange-token-used-once with both parties');
    expect(readdirSync(folder).sort()).toEqual(['case.mjs', 'case.sh']);
    const password = passwordIn('plain-ehr-faulty.yaml');
    for (const file of ['case.mjs', 'case.sh'])
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain(password);
  }),
);

test('a check of several roles needs one of them', RUN, async () => {
  const config = example('plain-ehr-faulty.yaml');
  const ended = await runCli('case', 'exchange-token-used-once', '--config', config);
  expect(ended).toEqual({ code: 2, output: expect.stringContaining('--role (ehr-server, client)') });
});

test('a check that passes is no case', RUN, () =>
  inDirectory(async (folder) => {
    const out = join(folder, 'case.mjs');
    const ended = await runCli('case', CHECK, '--config', example('plain-js.yaml'), '--out', out);
    expect(ended).toEqual({ code: 2, output: expect.stringContaining('does not fail here (pass)') });
  }),
);

test('a check of no such name is told', RUN, async () => {
  const ended = await runCli('case', 'no-such-check', '--config', example('plain-js.yaml'));
  expect(ended).toEqual({ code: 2, output: expect.stringContaining('no check of this name') });
});
