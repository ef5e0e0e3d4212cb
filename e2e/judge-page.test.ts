import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgePage } from '#conformance/testing/cli.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { runBash } from '#testing/bash-block.ts';

const rows = [
  ...judgePage.matchAll(/^\| (wrong: )?`(internal-p.+|example-.+)`(.*) \| `([0-9a-f]{40})` \|$/gm),
];
const [, command = ''] = /`(printf [^`]+sha1sum)`/.exec(judgePage) ?? [];

test('each digest on the page is that of the text beside it', () => {
  expect(rows).toHaveLength(7);
  for (const [, , text = '', how = '', shown] of rows) {
    const hashed = Buffer.from(
      text + (how.includes('line break') ? '\n' : ''),
      how.includes('Latin-1') ? 'latin1' : 'utf8',
    );
    expect(createHash('sha1').update(hashed).digest('hex'), text + how).toBe(shown);
  }
});

test('the right digests are those of the servers and of the command', async () => {
  const right = rows.filter(([, wrong]) => wrong === undefined);
  expect(right).toHaveLength(3);
  for (const [, , text = '', , shown] of right) {
    const at = text.indexOf('example-');
    expect(digest(text.slice(0, at), text.slice(at))).toBe(shown);
  }
  expect(await runBash(`${command} | cut -c 1-40`)).toBe(`${right[0]?.[4]}\n`);
});
