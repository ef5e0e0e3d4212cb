/** The command `init --from`: a broken recording leaves no file, and a good one is followed by the doctor. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { initCommand } from '../../../engine/cli/commands/init.ts';
import { InputError } from '../../../engine/input-error.ts';
import { seenExchanges } from '../../../engine/learn/exchange.ts';
import type { Role } from '../../../engine/role.ts';
import { inDirectory, runCli } from '../../../testing/cli.ts';
import { harFileOf } from '../../../testing/har-of.ts';
import { role } from '../index.ts';
import { asked } from './testing/asked.ts';

test('a broken recording ends with exit code 2, and no file is written', () =>
  inDirectory(async (directory) => {
    const [file, bad] = [join(directory, 'my-server.yaml'), join(directory, 'bad.har')];
    writeFileSync(bad, '{ "log": ');
    const { code, output } = await runCli('init', file, '--from', bad);
    expect(code, output).toBe(2);
    expect(output).toContain('bad.har');
    expect(output).not.toMatch(/^ {4}at /m);
    expect(existsSync(file)).toBe(false);
  }));

const phone = '79161234567';
const GOOD = seenExchanges([
  asked('POST', '/otp', {}, { phone }, [200, {}]),
  asked('POST', '/login', {}, { phone, code: '4821' }, [200, { userId: 'u-1', token: 'tokTok8877665544aa' }]),
]);

/** Runs `init` on the good recording. Returns each file that a role was opened by, with its text. */
async function openedBy(directory: string, doctor: boolean) {
  const file = join(directory, 'my-server.yaml');
  const opened: string[] = [];
  const watched: Role = {
    ...role,
    async open({ config }) {
      opened.push(config, readFileSync(config, 'utf8'));
      throw new InputError('This test plays nothing.');
    },
  };
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([]) as typeof process.stdin);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const ended = initCommand({ file, from: harFileOf(GOOD), doctor, force: false }, watched);
  const result = await ended.catch((error: Error) => error.message);
  return { file, opened, result };
}

test('after a good recording the doctor opens the written file', () =>
  inDirectory(async (directory) => {
    const { file, opened, result } = await openedBy(directory, true);
    expect(result).toContain('This test plays nothing.');
    expect(opened).toEqual([file, expect.stringContaining('/login')]);
  }));

test('with --no-doctor nothing is opened', () =>
  inDirectory(async (directory) => {
    const { file, opened, result } = await openedBy(directory, false);
    expect([result, opened, existsSync(file)]).toEqual([0, [], true]);
  }));
