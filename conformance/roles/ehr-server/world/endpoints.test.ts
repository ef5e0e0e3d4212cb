import { expect, test } from 'vitest';
import { Tap } from '../../../engine/case/tap.ts';
import { playEhr } from '../self-test/play.ts';

test('calls to an endpoint of both callers are noted by their caller', async () => {
  const tap = new Tap();
  await playEhr(
    { settings: { internalUrl: undefined }, pipeline: (pipeline) => (text) => pipeline(text, 'any') },
    { scenarios: ['logout-seen-by-next-read', 'doubled-member-opens-nothing'], tap },
  );
  const methods = (endpoint: string) =>
    new Set(
      [...tap.tapped.sent.values()].flatMap(({ to, body }) =>
        to === endpoint ? /"method":"\w+\.(\w+)"/.exec(body)?.[1] : [],
      ),
    );
  expect(methods('INTERNAL')).toEqual(new Set(['save_exchange_token', 'save_auth_info']));
  expect(methods('PUBLIC')).not.toContain('save_exchange_token');
  expect(methods('PUBLIC')).toContain('get_patient');
});
