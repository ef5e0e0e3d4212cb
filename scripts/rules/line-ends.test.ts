import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { root } from '../set-up/set-up.mjs';
import { isCode, listFiles } from '../source.ts';

const TEXT = /\.(?:md|json|ya?ml|css|html|sh|txt|toml|svg)$|(?:^|\/)(?:run|LICENSE|\.[a-z]+rc|\.gitignore)$/;

/** Checks files of the project out as git does where core.autocrlf is on. Returns the directory. */
function checkedOutWithCrlf(files: readonly string[]): string {
  const directory = temporaryFolder();
  const repository = join(directory, 'repository');
  const clone = join(directory, 'clone');
  mkdirSync(clone);
  const git = (worktree: string, ...args: string[]) =>
    execFileSync(
      'git',
      ['--git-dir', repository, '--work-tree', worktree, '-c', 'core.autocrlf=true', ...args],
      { cwd: worktree, stdio: 'pipe' },
    );
  execFileSync('git', ['init', '--quiet', '--bare', repository]);
  git(root, 'add', '--', '.gitattributes', ...files);
  git(clone, 'checkout-index', '--all');
  return clone;
}

test('a clone with core.autocrlf has the line ends of the project', () => {
  // One file of each extension: the attributes go by the name alone.
  const text = listFiles(root).filter((file) => isCode(file) || TEXT.test(file));
  const files = [...new Map(text.map((file) => [extname(file) || basename(file), file])).values()];
  expect(files.length).toBeGreaterThan(10);
  const clone = checkedOutWithCrlf(files);
  expect(files.filter((file) => readFileSync(join(clone, file), 'utf8').includes('\r'))).toEqual([]);
});
