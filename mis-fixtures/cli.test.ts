import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { collector } from '#ehr-server/commands/testing.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { runFixtures } from './cli.ts';
import { personaList } from './personas.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = folderInMemory();
  file = join(directory, 'deep', 'mis.sqlite');
});

async function run(args: string[], { isTTY = false } = {}) {
  const [out, err] = [collector(), Object.assign(collector(), { isTTY })];
  const code = await runFixtures(args, { out, err });
  return { code, out: out.text(), err: err.text() };
}

test('a population is written as the flags say', async () => {
  const flags = ['--patients', '4500', '--seed', '9', '--locale', 'ru,en', '--database', file];
  const { code, out, err } = await run(flags);
  expect({ code, out }).toEqual({
    code: 0,
    out: `Wrote 4510 patients to the new file ${file}: 10 of the personas and 4500 invented.\n`,
  });
  expect(err).toBe('2000 of 4510 patients\n4000 of 4510 patients\nsorting and indexing\n');
  const mis = openSqliteMis(file);
  expect(mis.get('p-anna')?.surname).toBe('Petrova');
  expect(mis.get('p-0004500')).toBeDefined();
  mis.close();
});

test('on a terminal a bar is drawn', async () => {
  const { code, err } = await run(['--patients', '4000', '--database', file], { isTTY: true });
  expect(code).toBe(0);
  expect(err).toMatch(/\d+% \| \d+\/4010 patients/);
});

const misuses: [string, string[], string][] = [
  ['a misspelled flag', ['--patiens', '5'], '(Did you mean --patients?)'],
  ['a misspelled flag of the list', ['personas', '--jsno'], '(Did you mean --json?)'],
  [
    'a count that is no number',
    ['--patients', '3x'],
    "argument '3x' is invalid. It must be a whole number from 0 to",
  ],
  ['a seed out of range', ['--seed', '4294967296'], 'It must be a whole number from 0 to 4294967295.'],
  [
    'a locale that faker does not offer',
    ['--locale', 'ru,tlh'],
    'There is no locale "tlh" with person names. Those there are: af_ZA,',
  ],
  ['an empty list of locales', ['--locale', ''], 'It must be a list such as ru,en,de.'],
  ['a word too many', ['persons'], 'too many arguments'],
];

for (const [what, args, sentence] of misuses)
  test(`${what} is answered with what to do, and nothing is written`, async () => {
    const { code, out, err } = await run([...args, ...(args[0] === 'personas' ? [] : ['--database', file])]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).toContain('See "npm run fixtures -- --help" for the options.');
    expect(readdirSync(directory)).toEqual([]);
  });

test('the personas are listed as a table and as JSON', async () => {
  expect((await run(['personas'])).out).toMatch(/^PERSONA +NAME +SURNAME +BORN +GENDER +PHONE +CARD$/m);
  const { code, out } = await run(['personas', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(personaList);
});

test('Ctrl-C stops the program and leaves no half database', async () => {
  const run = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url));
  const program = useProgram([run, 'mis-fixtures/main.ts', '--patients', '400000', '--database', file]);
  await program.says(/./, 'err');
  const { code, err } = await program.stop('SIGINT');
  expect([code, err]).toEqual([
    130,
    expect.stringContaining('Interrupted; the database is as it was before.'),
  ]);
  expect(readdirSync(join(directory, 'deep'))).toEqual([]);
});
