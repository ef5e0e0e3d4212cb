import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { problemsOfFile, writeTemporary } from '../../testing/adapter-file.ts';
import { loadAdapter } from '../load.ts';

const docs = new URL('../../../../../../docs/', import.meta.url);
const page = readFileSync(new URL('files.md', docs), 'utf8');
const folder = new URL('examples/adapters/', docs);
const env = { EHR_INTERNAL_USER: 'kit', EHR_INTERNAL_PASSWORD: 'secret' };

test("the page's adapter file can be used", async () => {
  const [, text = ''] = /^```yaml\n(name: .*?)^```$/ms.exec(page) ?? [];
  expect(await problemsOfFile(writeTemporary('adapter.yaml', text), env)).toEqual([]);
});

const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
test.each(files)('the example %s can be used', async (name) => {
  expect(await problemsOfFile(fileURLToPath(new URL(name, folder)), env)).toEqual([]);
});

test('the example of a module can be used', async () => {
  const { settings, wrap } = await loadAdapter(fileURLToPath(new URL('two-steps.mjs', folder)), env);
  expect(settings.steps.confirmOtp).toBeUndefined();
  expect(wrap).toBeTypeOf('function');
});
