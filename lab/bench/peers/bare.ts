/** The limit on Node: node:http, the SQL statements and one reply. No routes, checks, errors or log. */
import type { ServerResponse } from 'node:http';
import { listenAsPeer, type PeerCall, type PeerOutcome } from './peer.ts';

// `work` runs the SQL statements of a call, and gives its outcome.
const work = listenAsPeer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const call = JSON.parse(body.toString()) as PeerCall;
    work(call, (outcome) => send(response, call.id, outcome));
  });
});

/** The id is sent as text, as the EHR server does unless its settings say otherwise. */
function send(response: ServerResponse, id: number, outcome: PeerOutcome): void {
  const text =
    'record' in outcome
      ? `{"jsonrpc":"2.0","id":"${id}","result":{"patient":${outcome.record},"user_sign":"${outcome.userSign}","userSign":"${outcome.userSign}"}}`
      : JSON.stringify({ jsonrpc: '2.0', id: String(id), ...outcome });
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
