/** Both servers as the handlers for msw, served over HTTP so that any client can call them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { getResponse, type RequestHandler } from 'msw';
import { bindServer } from '#conformance/engine/wire/bind.ts';
import { authHandlers } from '#msw/auth-handlers.ts';
import { ehrHandlers } from '#msw/ehr-handlers.ts';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { type EhrParty, ownPeople } from './ehr-party.ts';

export type MswPair = {
  readonly ehr: EhrParty;
  readonly authUrl: string;
  readonly advanceAuth: (ms: number) => Promise<void>;
};

export async function openMswPair(
  internal: EhrParty['internal'],
  { clock, random }: { clock: Clock; random: Random },
): Promise<MswPair> {
  const [ehrServer, authServer] = [await openListener(), await openListener()];
  const clocks = { ehr: movableClock(clock), auth: movableClock(clock) };
  const ehr = ehrHandlers({ url: ehrServer.url, clock: clocks.ehr, random, internal });
  const auth = authHandlers({ url: authServer.url, ehr, clock: clocks.auth });
  ehrServer.serve(ehr);
  authServer.serve(auth);
  const endpoint = `${ehrServer.url}/1.0-alpha/`;
  return {
    ehr: {
      name: 'our EHR server, as handlers for msw',
      publicUrl: endpoint,
      internalUrl: endpoint,
      internal,
      people: ownPeople,
      ttlUnit: 'minutes',
      advance: async (ms) => clocks.ehr.advance(ms),
      restart: undefined,
      async close() {
        await Promise.all([ehrServer.stop(), authServer.stop()]);
      },
    },
    authUrl: authServer.url,
    advanceAuth: async (ms) => clocks.auth.advance(ms),
  };
}

async function openListener() {
  let handlers: RequestHandler[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const reply = await getResponse(handlers, await requestOf(incoming, bound.url));
    if (!reply) return void response.writeHead(404).end();
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(Buffer.from(await reply.arrayBuffer()));
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  const bound = await bindServer(server, '127.0.0.1', 0);
  const serve = (given: RequestHandler[]) => {
    handlers = given;
  };
  return { ...bound, serve };
}

async function requestOf(incoming: IncomingMessage, base: string): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const body = Buffer.concat(await incoming.toArray());
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isEmpty = method === 'GET' || method === 'HEAD' || body.length === 0;
  return new Request(new URL(url, base), { method, headers: pairs, ...(!isEmpty && { body }) });
}
