import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '#testing/postgres/postgres.ts';
import { countingProcess } from './testing.ts';

test('a process counts alone while the database is away, then with the others', async () => {
  const server = await startPostgres({ settings: { fsync: 'off' } });
  onTestFinished(() => server.close());
  const { take, clock, texts, messages } = await countingProcess(server.url);
  expect(await take('a', 100)).toBeUndefined();
  await server.stop('immediate');
  for (let call = 0; call < 100; call++) expect(await take('b', 1)).toBeUndefined();
  expect(await take('b', 1)).toBeGreaterThan(0);
  const failures = messages().filter((line) => line.includes('for this process alone'));
  expect(failures).toHaveLength(1);
  expect(texts.join('')).not.toContain(new URL(server.url).password);
  await server.start();
  expect(await take('c', 1)).toBeUndefined();
  const isBack = () => messages().filter((line) => line.includes('together again')).length;
  // A database that has just recovered may answer the first queries too late.
  for (let turn = 0; isBack() === 0 && turn < 50; turn++) {
    clock.advance(5_000);
    expect(await take(`d${turn}`, 1)).toBeUndefined();
  }
  expect(isBack()).toBe(1);
});
