import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readExample, writeParty } from '../../testing/cli.ts';
import { loadEhrFile } from './settings.ts';

function loadWith(ready: object) {
  const file = readExample<{ server: { start: object } }>('plain-ehr.yaml');
  Object.assign(file.server.start, { ready });
  return loadEhrFile(writeParty(temporaryFolder(), file), {});
}

test('a file names one sign that the server is ready', () => {
  expect(loadWith({ line: 'ready' })).toBeDefined();
  expect(() => loadWith({ url: '/', line: 'ready' })).toThrow(
    'server.start.ready.line: cannot stand beside url. Please keep one of them.',
  );
  expect(() => loadWith({})).toThrow('server.start.ready: lacks one of url, line.');
});
