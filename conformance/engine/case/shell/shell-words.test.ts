import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellFunctionsFor } from './shell-functions.ts';
import { shellTest } from './shell-tests.ts';
import { shellWord, Unsayable } from './shell-words.ts';

/** What the shell makes of an expression. */
function saidBy(js: string): string {
  const command = `printf %s ${shellWord(js)}`;
  const script = `token='a1B2c3D4'\nPASSWORD='secret '\nPUBLIC=https://ehr.test:1/1.0/\n${shellFunctionsFor(command)}\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' });
}

test.each([
  [`"it's $HOME"`, "it's $HOME"],
  [`'Bearer ' + token`, 'Bearer a1B2c3D4'],
  [`token.slice(0, 1) + token + token.slice(-1)`, 'aa1B2c3D44'],
  ['token.slice(2)', 'B2c3D4'],
  ['token.slice(0, -2)', 'a1B2c3'],
  ['token.toUpperCase()', 'A1B2C3D4'],
  ['otherCase(token)', 'A1b2C3d4'],
  [`hashed('sha1', 'abc')`, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  [`new URL('/other', PUBLIC)`, 'https://ehr.test:1/other'],
])('the expression %s is %s in a shell', (js, text) => {
  expect(saidBy(js)).toBe(text);
});

test('a digest is computed over the password and the secret', () => {
  expect(saidBy('digest(token)')).toBe(saidBy(`hashed('sha1', 'secret a1B2c3D4')`));
});

test.each(['changedAt(token, 4)', 'token.at(1)', '[1]'])('the expression %s is unsayable', (js) => {
  expect(() => shellWord(js)).toThrow(Unsayable);
});

test.each([
  ['!done(a3)', '! succeeded 3'],
  ['[a1, a2].filter((each) => done(each)).length === 1', '[ "$(successes 1 2)" -eq 1 ]'],
  [`at(a2?.json, '/error/code') === -33000`, `[ "$(member 2 code 1)" = '-33000' ]`],
])('the test %s is the condition %s', (js, condition) => {
  expect(shellTest(js, (_answer, pointer) => ({ name: pointer.split('/').at(-1) ?? '', nth: '1' }))).toBe(
    condition,
  );
});
