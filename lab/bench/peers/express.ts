/** What most people would write: plain express with `express.json` and `res.json`. */
import express from 'express';
import { listenAsPeer } from './work/listen.ts';
import { replyOf } from './work/object-reply.ts';
import { readPeerOptions } from './work/options.ts';
import { openWork, type PeerCall } from './work/work.ts';

const work = openWork(readPeerOptions());
const app = express();
app.use(express.json());
app.post('/1.0-alpha/', (request, response) => {
  const call = request.body as PeerCall;
  work(call, (outcome) => void response.json({ jsonrpc: '2.0', id: String(call.id), ...replyOf(outcome) }));
});
listenAsPeer(app);
