import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemsOfFile, writeTemporary } from '../../testing/adapter-file.ts';
import { loadAdapter } from '../load.ts';
import { publishedSchema } from './published-schema.ts';

const page = readFileSync(new URL('../../../../../../docs/adapter-file.md', import.meta.url), 'utf8');
const env = { EHR_INTERNAL_USER: 'kit', EHR_INTERNAL_PASSWORD: 'secret', DEBUG_KEY: 'key' };
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text as string);

const files = blocks('yaml').map((text) => ({
  text,
  name: /^name: (.*)$/m.exec(text)?.[1] ?? 'a file without a name',
}));

for (const { name, text } of files) {
  test(`the page's example of ${name} can be used`, async () => {
    expect(await problemsOfFile(writeTemporary('adapter.yaml', text), env)).toEqual([]);
  });
}

test("the page's module can be used", async () => {
  const [text] = blocks('js');
  const { settings, wrap } = await loadAdapter(writeTemporary('adapter.mjs', text as string), env);
  expect(settings.steps.confirmOtp).toBeUndefined();
  expect(wrap).toBeTypeOf('function');
});

test('the page explains every key of the schema, and there are four examples', () => {
  expect(files).toHaveLength(4);
  const keys = new Set<string>();
  const visit = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, member] of Object.entries(schema)) {
      if (name === 'properties') for (const key of Object.keys(member as object)) keys.add(key);
      if (name !== 'oneOf') visit(member);
    }
  };
  visit(publishedSchema());
  const [, reference = ''] = page.split('## Every key');
  const codes = [...reference.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code as string,
  );
  const words = new Set(codes.flatMap((code) => code.split(/[^\w$]+/)));
  const unexplained = [...keys].filter((key) => !words.has(key) && !reference.includes(`### ${key}\n`));
  expect(unexplained).toEqual([]);
});
