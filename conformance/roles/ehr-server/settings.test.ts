import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readExample, writeParty } from '../../testing/cli.ts';
import { loadEhrFile } from './settings.ts';

function saidWith(ready: object): string {
  const file = readExample<{ server: { start: object } }>('plain-ehr.yaml');
  Object.assign(file.server.start, { ready });
  try {
    loadEhrFile(writeParty(temporaryFolder(), file), {});
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a file names one sign that the server is ready', () => {
  expect(saidWith({ line: 'ready' })).toBe('');
  expect(saidWith({ url: '/', line: 'ready' })).toContain(
    'server.start.ready.line: cannot stand beside url. Please keep one of them.',
  );
  expect(saidWith({})).toContain('server.start.ready: lacks one of url, line.');
});
