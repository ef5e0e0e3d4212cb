import { expect, test } from 'vitest';
import { loadTls } from '#service/tls/tls-files.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { readRun } from './engine/journal/input-file.ts';
import { readText } from './engine/party/file/read-settings.ts';
import { loadKnownFailures } from './engine/report/known-failures.ts';
import { readReport } from './engine/report/schema/schema.ts';

const READERS = {
  'an adapter file': readText,
  'known failures': (file: string) => loadKnownFailures(file, []),
  'a saved run': readRun,
  'a saved report': readReport,
  'a certificate': (file: string) => {
    const named = { path: file, setting: '--tls-cert' };
    return loadTls({ pair: { cert: named, key: named } }, 0);
  },
};

for (const [what, foreign] of Object.entries(foreignFiles)) {
  if (!/pipe|device|directory/.test(what)) continue;
  for (const [reader, read] of Object.entries(READERS)) {
    test(`a ${what} in place of ${reader} is refused at once, unchanged`, () => {
      const { file, picture } = placeForeign(foreign);
      const before = picture();
      expect(() => read(file)).toThrow(foreign.called);
      expect(() => read(file)).toThrow(`${file}`);
      expect(picture()).toEqual(before);
    });
  }
}
