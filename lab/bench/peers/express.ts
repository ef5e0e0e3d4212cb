/** What most people would write: plain express with `express.json` and `res.json`. */
import express from 'express';
import { listenAsPeer, type PeerCall } from './peer.ts';

const app = express();
const work = listenAsPeer(app);
app.use(express.json());
app.post('/1.0-alpha/', (request, response) => {
  const call = request.body as PeerCall;
  work(call, (outcome) => {
    const envelope = { jsonrpc: '2.0', id: String(call.id) };
    if (!('record' in outcome)) return void response.json({ ...envelope, ...outcome });
    const { record, userSign } = outcome;
    response.json({ ...envelope, result: { patient: JSON.parse(record), user_sign: userSign, userSign } });
  });
});
