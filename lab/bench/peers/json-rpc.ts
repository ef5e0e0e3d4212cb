/**
 * The JSON-RPC library json-rpc-2.0 on express, as in its documentation. The whole call is passed as its
 * server parameter.
 */
import express from 'express';
import { JSONRPCErrorException, type JSONRPCRequest, JSONRPCServer } from 'json-rpc-2.0';
import { listenAsPeer } from './work/listen.ts';
import { replyOf } from './work/object-reply.ts';
import { readPeerOptions } from './work/options.ts';
import { openWork, type PeerCall } from './work/work.ts';

const work = openWork(readPeerOptions());
const server = new JSONRPCServer<PeerCall>();
for (const method of [
  'patient.get_patient',
  'embedded_storage.save_auth_info',
  'embedded_storage.save_exchange_token',
]) {
  server.addMethod(
    method,
    (_params, call) =>
      new Promise((resolve, reject) =>
        work(call, (outcome) => {
          const reply = replyOf(outcome);
          if ('error' in reply) reject(new JSONRPCErrorException(reply.error.message, reply.error.code));
          else resolve(reply.result);
        }),
      ),
  );
}
const app = express();
app.use(express.json());
app.post('/1.0-alpha/', async (request, response) => {
  const reply = await server.receive(request.body as JSONRPCRequest, request.body as PeerCall);
  if (reply) response.json(reply);
  else response.sendStatus(204);
});
listenAsPeer(app);
