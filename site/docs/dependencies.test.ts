import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';

type Package = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
type Lock = { packages: Record<string, { license?: string; hasInstallScript?: true }> };

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json')) as Package;
const { packages } = JSON.parse(read('package-lock.json')) as Lock;
const page = read('docs/dependencies.md');

/** Returns the items of the list under a heading of the page: the package, what is said of it in brackets, the reason. */
function itemsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^- `([^`]+)` \(([^)]+)\): (.*)$/gm)].map((item) => item.slice(1));
}

for (const [heading, wanted] of [
  ['At run time', dependencies],
  ['For development and tests', devDependencies],
] as const)
  test(`the page lists each package of "${heading}" once, with reason and licence`, () => {
    const rows = itemsUnder(heading);
    expect(rows.map(([name]) => name)).toEqual(Object.keys(wanted).sort());
    for (const [name, licence, reason] of rows) {
      expect(reason, name).toMatch(/\w/);
      expect(licence, name).toBe(packages[`node_modules/${name}`]?.license);
    }
  });

test('the page lists each package with an install script and its right', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const allowed = scripted.map(([path]) => {
    const name = path.replace(/^.*node_modules\//, '');
    return `${name} ${allowScripts[name] ? 'yes' : 'no'}`;
  });
  expect(itemsUnder('Install scripts').map(([name, may]) => `${name} ${may}`)).toEqual(
    [...new Set(allowed)].sort(),
  );
  expect(Object.keys(allowScripts).sort()).toEqual(
    [...new Set(allowed)].sort().map((row) => row.split(' ')[0]),
  );
});

test('the page names every licence that a package has', () => {
  const said = page.split(/^## Licences$/m)[1] ?? '';
  for (const [path, { license = '' }] of Object.entries(packages)) {
    if (path === '') continue;
    const names = license.match(/[\w.-]+/g) ?? [];
    const isNamed = names.some((name) => said.includes(name.replace(/^BSD-\d-Clause$/, 'BSD')));
    expect(isNamed, `${path}: ${license}`).toBe(true);
    if (license === 'MPL-2.0') expect(path).toMatch(/axe-core|lightningcss/);
    if (license === 'CC-BY-4.0') expect(path).toMatch(/caniuse-lite/);
  }
});
