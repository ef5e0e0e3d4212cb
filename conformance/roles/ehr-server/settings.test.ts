import { expect, test } from 'vitest';
import { inDirectory, readExample, writeParty } from '../../testing/cli.ts';
import { loadEhrFile } from './settings.ts';

const saidWith = (ready: object): Promise<string> =>
  inDirectory(async (directory) => {
    const data = readExample<{ server: { start: object } }>('plain-ehr.yaml');
    Object.assign(data.server.start, { ready });
    try {
      loadEhrFile(writeParty(directory, data), {});
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  });

test('a file names one sign that the server is ready', async () => {
  expect(await saidWith({ line: 'ready' })).toBe('');
  expect(await saidWith({ url: '/', line: 'ready' })).toContain(
    'server.start.ready.line: cannot stand beside url. Please keep one of them.',
  );
  expect(await saidWith({})).toContain('server.start.ready: lacks one of url, line.');
});
