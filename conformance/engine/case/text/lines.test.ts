import { expect, test } from 'vitest';
import { Flow } from '../flow.ts';
import { tracedCall } from '../testing/traces.ts';
import type { TracedCall } from '../trace/traced-call.ts';
import { linesOf } from './lines.ts';

/** The lines of these calls, of which the first has a line before it. */
function written(calls: readonly TracedCall[]): string[] {
  const flow = new Flow(calls, { isDrawn: () => false, internal: { user: '', password: '' } });
  const texts = calls.map(({ key }, index) => ({
    expression: `ask('${key}')`,
    before: index === 0 ? ['disturb();'] : [],
  }));
  return linesOf(calls, texts, flow, () => ['calm();']).map((line) => line.trim());
}

const late = { request: { method: 'POST', path: '/', headers: [], body: '' }, response: undefined };
const held = tracedCall('report', {
  ...{ group: 1, began: 0, ended: 500 },
  inner: [{ ...late, fault: 'late', broke: undefined, took: 400, ended: 450 }],
});

test('a call that is kept waiting is awaited after those that were sent meanwhile', () => {
  const others = [
    tracedCall('delete', { group: 2, began: 100, ended: 110 }),
    tracedCall('again', { group: 3, began: 600, ended: 610 }),
  ];
  expect(written([held, ...others]).filter((line) => /^(const|disturb|calm)/.test(line))).toEqual([
    'disturb();',
    "const held1 = ask('report');",
    "const a2 = await ask('delete');",
    'const a1 = await held1;',
    'calm();',
    "const a3 = await ask('again');",
  ]);
});

test('a call that is kept waiting alone is awaited at once', () => {
  expect(written([held])).toEqual([
    '',
    '// Mia: report',
    'disturb();',
    "const a1 = await ask('report');",
    'calm();',
  ]);
});
