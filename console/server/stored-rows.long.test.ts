import { expect, test } from 'vitest';
import { exchange, request, response } from '#conformance/engine/journal/testing/exchanges.ts';
import { changesByMessage } from './stored-rows.ts';

const method = 'embedded_storage.save_exchange_token';

/** A message that hands an exchange token over, as the journal holds it. */
function saveToken(seq: number) {
  const authInfo = { user: '‹user 1›', token: '‹session-token 1›', ttl: 1440 };
  const params = { exchangeToken: `‹exchange-token ${seq}›`, authInfo };
  return exchange(seq, {
    link: 'auth->ehr',
    request: request({ body: JSON.stringify({ jsonrpc: '2.0', id: seq, method, params }) }),
    response: response(JSON.stringify({ result: {} })),
    facts: {
      call: { method, idType: 'number', jsonrpc: '2.0', params: {}, ttl: authInfo.ttl },
      reply: { result: true },
    },
  });
}

test('a run of 100,000 messages is followed in linear time', () => {
  const changes = changesByMessage(Array.from({ length: 100_000 }, (_, at) => saveToken(at + 1)));
  expect(changes.size).toBe(100_000);
});
