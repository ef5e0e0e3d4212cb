import { expect, test } from 'vitest';
import { ANNA, ANNA_MAIL } from '../testing/config.ts';
import { startWorld } from '../testing/start.ts';

test('a text message ends with the known host and the code', async () => {
  const textTo = async (to: string, codeHost?: string) => {
    const world = await startWorld({ config: { codeHost } });
    await world.code(to);
    return world.server.latestMessage(to)?.text.replace(/\d{6}/g, 'CODE');
  };
  const text = 'Your code is CODE. It is valid for 5 minutes. Never tell it to anyone.';
  expect(await textTo(ANNA, 'my.example.org')).toBe(`${text}\n@my.example.org #CODE`);
  for (const none of ['', undefined]) expect(await textTo(ANNA, none)).toBe(text);
  expect(await textTo(ANNA_MAIL, 'my.example.org')).toBe(text);
});
