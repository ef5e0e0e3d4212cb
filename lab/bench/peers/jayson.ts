/**
 * The JSON-RPC library jayson on express, as in its documentation. It passes only the params to a method, so
 * cred is sent in them.
 */
import express from 'express';
import jayson from 'jayson';
import { listenAsPeer } from './work/listen.ts';
import { replyOf } from './work/object-reply.ts';
import { readPeerOptions } from './work/options.ts';
import { openWork, type PeerCall } from './work/work.ts';

type Callback = (error: unknown, result?: unknown) => void;

const work = openWork(readPeerOptions());
const names = [
  'patient.get_patient',
  'embedded_storage.save_auth_info',
  'embedded_storage.save_exchange_token',
];
const methods = Object.fromEntries(
  names.map((method) => [
    method,
    ({ cred, ...params }: PeerCall['params'] & Pick<PeerCall, 'cred'>, callback: Callback) =>
      work({ id: 0, method, params, cred }, (outcome) => {
        const reply = replyOf(outcome);
        if ('error' in reply) callback(reply.error);
        else callback(null, reply.result);
      }),
  ]),
);
const app = express();
app.use(express.json());
app.use((request, _response, next) => {
  const { params, cred } = request.body as PeerCall;
  request.body.params = { ...params, cred };
  next();
});
app.use(new jayson.Server(methods).middleware());
listenAsPeer(app);
