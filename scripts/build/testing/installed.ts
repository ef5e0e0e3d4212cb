/** This package as npm would publish it, and installed elsewhere. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../set-up/set-up.mjs';

export type Published = { readonly files: readonly { readonly path: string; readonly size: number }[] };

/** Publishes without the registry, and without writing anything. */
export function publishDry(): Published {
  // The program asks no registry whether it is the newest.
  const flags = ['--dry-run', '--ignore-scripts', '--json', '--offline', '--no-update-notifier'];
  const output = execFileSync('npm', ['publish', ...flags], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // The package itself up to npm 11.5, and an object by package name later.
  const told = JSON.parse(output) as Published | Record<string, Published>;
  return 'files' in told ? (told as Published) : (Object.values(told)[0] as Published);
}

/** Installs what is published, and its dependencies but `without`, into a new folder, and returns that. */
export function installPackage({ files }: Published, without?: string): string {
  const installed = mkdtempSync(join(tmpdir(), 'installed-'));
  for (const { path } of files) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    cpSync(join(root, path), join(installed, path));
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies).filter((each) => each !== without)) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  return installed;
}
