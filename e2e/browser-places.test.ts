import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test("in Playwright's report every test points to its own line, in its own file", () => {
  const cli = ['node_modules/@playwright/test/cli.js', 'test', '--list', '--reporter=list'];
  const listed = execFileSync(process.execPath, cli, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const places = [...listed.matchAll(/^ +(\S+):\d+:\d+ › /gm)].map(([, file]) => file);
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter((file) => !file?.endsWith('.spec.ts'))).toEqual([]);
}, 60_000);
