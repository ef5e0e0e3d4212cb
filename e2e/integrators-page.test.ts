import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { runBash } from '#testing/bash-block.ts';

const page = new URL('../docs/for-integrators.md', import.meta.url);
const text = readFileSync(page, 'utf8');

test('every digest on the page for integrators is what its command gives', async () => {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && line.includes('sha1sum`'));
  expect(rows).toHaveLength(7);
  for (const row of rows) {
    const command = /`(printf [^`]+)`/.exec(row)?.[1]?.replaceAll('\\|', '|') ?? '';
    const [, shown] = /`([0-9a-f]{40})`/.exec(row) ?? [];
    expect(await runBash(`${command} | cut -c 1-40`), command).toBe(`${shown}\n`);
  }
});

test('the right digests on the page for integrators are those that the servers compute', () => {
  const rows = [...text.matchAll(/^\| `([^`]+)` \| [a-z_ ]+`([^`]+)` \| .* \| `([0-9a-f]{40})` \|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, password = '', secret = '', shown] of rows) expect(digest(password, secret)).toBe(shown);
});

test('the two calls on the page for integrators carry the digests of its table', () => {
  const calls = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => JSON.parse(block));
  const [exchange, save] = calls;
  expect(calls).toHaveLength(2);
  expect(exchange.cred.token).toBe(digest('internal-password', exchange.params.exchangeToken));
  expect(save.cred.token).toBe(digest('internal-password', 'example-user-sign'));
});
