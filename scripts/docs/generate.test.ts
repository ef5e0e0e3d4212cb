import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Requirement } from '#protocol/requirements.ts';
import { checkDocs, generate } from './generate.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'docs-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(directory, file)), { recursive: true });
  writeFileSync(join(directory, file), text);
}

const row = (id: string, excluded?: string): Requirement => {
  const text = `What ${id} | demands.`;
  return { id, clause: '§4.1', party: 'ehr-server', level: 'MUST', text, ...(excluded !== undefined && { excluded }) };
};
const rows = [row('4.1-a'), row('D9-b'), row('6-none', 'There is nothing to test.')];

/** A project in which every requirement is proven and every document is fresh. */
function writeProject(): void {
  write(
    'service/a.test.ts',
    "proves(['4.1-a'], 'a is [so]', () => {});\nproves(['4.1-a', 'D9-b'], 'a and b', () => {});\n",
  );
  for (const [file, text] of generate(directory, rows).files) write(file, text);
}

test('a project with fresh documents and a test for every requirement has no problems', () => {
  writeProject();
  expect(checkDocs(directory, rows)).toEqual([]);
});

for (const file of ['docs/protocol.md', 'docs/requirements.md', 'docs/settings.md', 'docs/openrpc.json']) {
  test(`${file} is told stale when anything in it is changed, and when it is gone`, () => {
    writeProject();
    write(file, `${generate(directory, rows).files.get(file)} `);
    expect(checkDocs(directory, rows)).toEqual([`${file} is stale. Please run npm run docs.`]);
    rmSync(join(directory, file));
    expect(checkDocs(directory, rows)).toContain(`${file} is stale. Please run npm run docs.`);
  });
}

test('a new test makes the matrix stale', () => {
  writeProject();
  write('service/b.test.ts', "proves(['D9-b'], 'b once more', () => {});\n");
  expect(checkDocs(directory, rows)).toEqual(['docs/requirements.md is stale. Please run npm run docs.']);
});

test('a requirement that no test cites is named', () => {
  writeProject();
  expect(checkDocs(directory, [...rows, row('5-c')])).toContain('5-c is proven by no test: What 5-c | demands.');
});

test('a test that cites an unknown requirement or an excluded one is named', () => {
  writeProject();
  write('service/b.test.ts', "proves(['4.1-z'], 'z', () => {});\nproves(['6-none'], 'none', () => {});\n");
  expect(checkDocs(directory, rows)).toEqual([
    'service/b.test.ts: "z" cites 4.1-z, and there is no such requirement.',
    'service/b.test.ts: "none" cites 6-none, which is excluded as untestable.',
    'docs/requirements.md is stale. Please run npm run docs.',
  ]);
});

test('a citation that cannot be read is named with its line', () => {
  writeProject();
  write('service/b.test.ts', "\nproves(ids, 'b', () => {});\n");
  expect(checkDocs(directory, rows)).toEqual([
    'service/b.test.ts:2 the first argument of proves must be a literal list of one or more requirement ids.',
  ]);
});

test('the matrix links each requirement to its tests, under its section, with totals', () => {
  writeProject();
  const page = generate(directory, rows).files.get('docs/requirements.md') ?? '';
  expect(page).toContain('| 3 | 2 | 1 | 0 | 2 |');
  expect(page).toContain(
    '## §4 Methods\n\n| Id | Who | Level | Requirement | Proven by |\n|---|---|---|---|---|\n' +
      '| `4.1-a` | ehr-server | MUST | What 4.1-a \\| demands. (§4.1) | [a is \\[so\\]](../service/a.test.ts)<br>[a and b](../service/a.test.ts) |',
  );
  expect(page).toContain('## Decisions on open points\n');
  expect(page).toContain('| `6-none` | What 6-none \\| demands. | There is nothing to test. |');
});

test('links between documents lead to files and headings, or are named with their line', () => {
  writeProject();
  write('docs/other.md', '# Other page\n\n## The `setting` of *all*\n\n## Twice\n\n## Twice\n');
  write(
    'README.md',
    [
      '# Read me',
      '[a](docs/other.md) [b](docs/other.md#the-setting-of-all) [c](#read-me) [d](https://example.org/none) ![e](docs/none.png)',
      '[f](docs/other.md#twice-1) [g](docs/other.md#none) <a href="docs/gone.md">g</a> `[h](none.md)`',
      '```',
      '[i](none.md)',
      '```',
      '[j][k] [l](../outside.md)',
      '',
      '[k]: docs/missing.md',
    ].join('\n'),
  );
  expect(checkDocs(directory, rows)).toEqual([
    'README.md:2 the link docs/none.png leads nowhere: there is no docs/none.png.',
    'README.md:3 the link docs/other.md#none leads nowhere: docs/other.md has no heading #none.',
    'README.md:3 the link docs/gone.md leads nowhere: there is no docs/gone.md.',
    'README.md:7 the link ../outside.md leads nowhere: there is no ../outside.md.',
    'README.md:9 the link docs/missing.md leads nowhere: there is no docs/missing.md.',
  ]);
});
