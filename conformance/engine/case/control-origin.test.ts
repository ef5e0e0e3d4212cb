import { expect, test } from 'vitest';
import { controlOrigin } from './control-origin.ts';

test('the first step with a whole address tells where the set-up is reached', () => {
  const clock = { url: `http://127.0.0.1:4101/clock/\${milliseconds}` };
  expect(controlOrigin([undefined, { path: '/clock' }, clock, { url: 'http://other.test/' }])).toBe(
    'http://127.0.0.1:4101',
  );
  expect(controlOrigin([{ path: '/clock' }, { absent: 'there is none' }])).toBeUndefined();
});
