import fs, { chmodSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { proves } from '#testing/proves.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { recordedLog } from '../testing-log.ts';
import { makePrivate } from './private-file.ts';

function database(mode?: number): { file: string; modeOf: (suffix?: string) => string } {
  const folder = temporaryFolder();
  const file = join(folder, 'a.sqlite');
  if (mode !== undefined)
    for (const suffix of ['', '-wal']) {
      writeFileSync(file + suffix, 'kept');
      chmodSync(file + suffix, mode);
    }
  return { file, modeOf: (suffix = '') => (statSync(file + suffix).mode & 0o777).toString(8) };
}

proves(['T-file-7'], 'a new file is readable by its owner alone', () => {
  const { file, modeOf } = database();
  makePrivate(file);
  expect(modeOf()).toBe('600');
});

proves(['T-file-7'], 'a file that is there loses the access of others, not its owner’s', () => {
  for (const [mode, then] of [
    [0o644, '600'],
    [0o666, '600'],
    [0o640, '600'],
    [0o444, '400'],
    [0o600, '600'],
  ] as const) {
    const { file, modeOf } = database(mode);
    const { log, messages } = recordedLog('warn');
    makePrivate(file, log);
    expect([mode, modeOf(), modeOf('-wal')]).toEqual([mode, then, then]);
    const warning = expect.stringContaining(`had mode 0${mode.toString(8)}`);
    expect(messages()).toEqual(mode === 0o600 ? [] : [warning, warning]);
  }
});

/** Lets no mode be changed, as for files of another account. */
function refuseChmod(): void {
  const chmod = vi.spyOn(fs, 'chmodSync').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    chmod.mockRestore();
    syncBuiltinESMExports();
  });
}

test('a public file of another account is refused, a group’s is taken', () => {
  const open = database(0o644);
  const group = database(0o640);
  refuseChmod();
  expect(() => makePrivate(open.file)).toThrow(
    `Failed to open ${open.file}: its mode 0644 gives every account of this machine access, and this account may not change that. Please have its owner run "chmod o-rwx ${open.file}".`,
  );
  makePrivate(group.file);
  expect([open.modeOf(), group.modeOf()]).toEqual(['644', '640']);
});
