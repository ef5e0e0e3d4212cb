import { expect, test, vi } from 'vitest';
import { readEhrConfig } from '../config.ts';
import { commandNames } from './names.ts';
import { run } from './testing.ts';

test('--help of the server names the commands, and each has its own', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(readEhrConfig(['--help'], {})).toBeUndefined();
  const help = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  for (const [name, what] of Object.entries(commandNames)) {
    expect(help).toMatch(new RegExp(`^ {2}${name} +${what}$`, 'm'));
    const out = expect.stringContaining('--database ');
    expect(await run([name, '--help'])).toMatchObject({ code: 0, out });
  }
});
