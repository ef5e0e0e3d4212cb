import { expect, test } from 'vitest';
import { choosePorts } from './ports.ts';

test('ports are chosen that browsers open and that systems give to nobody', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `party${index}`);
  const chosen = await choosePorts({ ...Object.fromEntries(names.map((name) => [name, 0])), fixed: 4200 });
  expect(chosen.fixed).toBe(4200);
  const drawn = names.map((name) => Number(chosen[name]));
  expect(new Set(drawn).size).toBe(names.length);
  for (const port of drawn) {
    expect(port).toBeGreaterThan(10_080);
    expect(port).toBeLessThan(32_768);
  }
});
