import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { InputError } from '../../input-error.ts';
import { BrokenOff, breakable, exitCodeFor } from './process.ts';

let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

function refusalOfSystem(): unknown {
  try {
    return readFileSync('/nowhere/at-all');
  } catch (error) {
    return error;
  }
}

test.each([
  ['a wrong command line', new CommanderError(1, 'x', 'x'), 2, ''],
  ['help', new CommanderError(0, 'x', 'x'), 0, ''],
  ['Ctrl-C', new BrokenOff('SIGINT'), 130, 'Interrupted.\n'],
  ['a request to end', new BrokenOff('SIGTERM'), 143, 'Interrupted.\n'],
  ['a setting', new SettingsError('No.'), 2, 'No.\n'],
  ['an input', new InputError('No.'), 2, 'No.\n'],
])('%s ends with a sentence, and not with the code of a verdict', (_what, error, code, sentence) => {
  expect([exitCodeFor(error), said]).toEqual([code, sentence]);
});

test('two requests to end at once are one; a later one ends the program', () => {
  const on = vi.spyOn(process, 'on').mockReturnThis();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  let now = 0;
  const signal = breakable({ now: () => now });
  const ask = () => on.mock.calls.find(([name]) => name === 'SIGTERM')?.[1]();
  ask();
  now = 200;
  ask();
  expect(signal.reason).toEqual(new BrokenOff('SIGTERM'));
  expect(exit).not.toHaveBeenCalled();
  now = 900;
  ask();
  expect(exit).toHaveBeenCalledWith(143);
});

test('a refusal of the system is told without a stack', () => {
  expect(exitCodeFor(refusalOfSystem())).toBe(2);
  expect(said).toMatch(/^The system refused something to the kit: ENOENT: .*\n$/);
});

test.each([new TypeError('x is undefined'), 'a text'])('%s is a fault of the kit', (error) => {
  expect(exitCodeFor(error)).toBe(3);
  expect(said).toMatch(/^A fault of the kit itself, not of your server\. Please report it\.\n/);
});
