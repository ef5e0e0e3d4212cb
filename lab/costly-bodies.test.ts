import { expect, test } from 'vitest';
import { tryJson } from '#protocol/wire/json.ts';
import { COSTLY_SHAPES, costlyBody } from './costly-bodies.ts';

test('each shape fills its body up to the limit, as JSON unless meant otherwise', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'none.such' };
  for (const shape of COSTLY_SHAPES) {
    for (const limit of [1_000, 64 * 1024, 1024 * 1024]) {
      const body = costlyBody(shape, call, limit);
      expect([shape, body.length <= limit, body.length > limit - 200]).toEqual([shape, true, true]);
    }
    const parsed = tryJson(costlyBody(shape, call, 1_000));
    if (shape === 'brackets that never close') expect(parsed).toBeUndefined();
    else
      expect([shape, parsed?.value]).toEqual([
        shape,
        expect.objectContaining({ ...call, extra: expect.anything() }),
      ]);
  }
});
