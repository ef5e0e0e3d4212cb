import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { brokenLinks } from './links.ts';

test('links between documents lead to files and headings, or are named with their line', () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'docs'));
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  write('docs/other.md', '# Other page\n\n## The `setting` of *all*\n\n## Twice\n\n## Twice\n');
  write(
    'README.md',
    [
      '# Read me',
      '[a](docs/other.md) [b](docs/other.md#the-setting-of-all) [c](#read-me) [d](https://example.org/none) ![e](docs/none.png)',
      '[f](docs/other.md#twice-1) [g](docs/other.md#none) <a href="docs/gone.md">g</a> `[h](none.md)`',
      ...['```', '[i](none.md)', '```', '[j][k] [l](../outside.md)', '', '[k]: docs/missing.md'],
      '## The conformance kit',
    ].join('\n'),
  );
  expect(brokenLinks({ directory, files: ['README.md'] })).toEqual([
    'README.md:2 the link docs/none.png leads nowhere: there is no docs/none.png.',
    'README.md:3 the link docs/other.md#none leads nowhere: docs/other.md has no heading #none.',
    'README.md:3 the link docs/gone.md leads nowhere: there is no docs/gone.md.',
    'README.md:7 the link ../outside.md leads nowhere: there is no ../outside.md.',
    'README.md:9 the link docs/missing.md leads nowhere: there is no docs/missing.md.',
  ]);
});
