/** The console over HTTP: who may ask, the event stream, and how a request reaches its route. */

import type { ServerResponse } from 'node:http';
import type { Response as Reply, Request, RequestHandler } from 'express';
import { systemClock } from '#protocol/time/clock.ts';
import { sameText } from '#protocol/wire/hashes.ts';
import type { AddRoutes } from '#service/http/pages.ts';
import { MAX_RUN_BYTES, RUN_TOO_LARGE } from '../api.ts';
import { answerTo, openEvents } from './api-routes.ts';
import type { DemoWorld } from './demo-world.ts';
import type { EventSink } from './events.ts';

export function apiRoutes(world: DemoWorld): AddRoutes {
  return (app, from) => {
    app.get('/api/events', async (request, response) => {
      const close = await openEvents(world, eventStream(response), showsSecrets(request));
      if (response.destroyed) close();
      else response.on('close', close);
    });
    app.post('/api/replay', reading(from.json({ limit: MAX_RUN_BYTES, strict: false })));
    app.use('/api', from.json({ limit: '100kb' }), async (request, response) => {
      const { method, path, body } = request;
      const asked = { method, path: path.slice(1), showsSecrets: showsSecrets(request), body };
      const { status, json, file } = await answerTo(world, asked);
      if (file !== undefined) response.setHeader('Content-Disposition', `attachment; filename="${file}"`);
      response.status(status).type('json').send(json);
    });
  };
}

function showsSecrets({ query }: Request): boolean {
  return query.secrets === 'show';
}

/** Reads a body. One that is too large is refused in words. */
function reading(json: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const isTooLarge = (error: unknown) => (error as { status?: number } | undefined)?.status === 413;
    json(request, response, (error) =>
      isTooLarge(error) ? refuse(response, 413, 'too_large', RUN_TOO_LARGE) : next(error),
    );
  };
}

/** Refuses every request of a page that is not the console's own. */
export function onlyOwnOrigin(isOwn: (origin: string) => boolean): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || isOwn(origin)) next();
    else refuse(response, 403, 'origin_not_allowed', 'The console answers its own page alone.');
  };
}

const TOKEN_NEEDED = 'Please send the control token of the address that the demo printed.';

/** Refuses requests without the control token. */
export function onlyWithToken(token: string): RequestHandler {
  return (request, response, next) => {
    if (sameText(tokenOf(request), token)) next();
    else refuse(response, 401, 'token_needed', TOKEN_NEEDED);
  };
}

export function refuse(response: Reply, status: number, reason: string, message: string): void {
  response.status(status).json({ error: { reason, message } });
}

function tokenOf({ headers, query }: Request): string {
  const [, given] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  return given ?? (typeof query.token === 'string' ? query.token : '');
}

/** A comment is sent this often, so that no idle timeout ends a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

function eventStream(response: ServerResponse): EventSink {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  let cancel: () => void;
  const keepAlive = () => {
    cancel = systemClock.after(KEEP_ALIVE_MS, () => {
      response.write(': still here\n\n');
      keepAlive();
    });
  };
  keepAlive();
  response.on('close', () => cancel());
  return {
    send: (name, json) => void response.write(`event: ${name}\ndata: ${json}\n\n`),
    end: () => void response.end(),
  };
}
