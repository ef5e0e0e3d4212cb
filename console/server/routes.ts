/** The console over HTTP: who may ask, the routes below `/api/`, and the client's page for its frame. */

import type { ServerResponse } from 'node:http';
import type { Express, Response as Reply, Request, RequestHandler } from 'express';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { sameText } from '#protocol/wire/hashes.ts';
import type { AddRoutes } from '#service/http/pages.ts';
import { answerTo, openEvents } from './ask.ts';
import type { DemoWorld } from './demo-world.ts';
import type { EventSink } from './events.ts';

/** A run of the kit with all its scenarios has some megabytes. Its text alone is read in one piece. */
const MAX_RUN_BYTES = 32 * 1024 * 1024;
const TOO_LARGE = `The file has more than ${MAX_RUN_BYTES / 1024 / 1024} MB. Please judge it by: npm run conformance -- replay FILE --report DIRECTORY`;

export function apiRoutes(world: DemoWorld): AddRoutes {
  return (app, from) => {
    app.get('/api/events', async (request, response) => {
      const close = await openEvents(world, eventStream(response, systemClock), isClear(request));
      if (response.destroyed) close();
      else response.on('close', close);
    });
    app.post('/api/replay', reading(from.json({ limit: MAX_RUN_BYTES, strict: false })));
    app.use('/api', from.json({ limit: '100kb' }), async (request, response) => {
      const { method, path, body } = request;
      const question = { method, path: path.slice(1), isClear: isClear(request), body };
      const { status, json, file } = await answerTo(world, question);
      if (file !== undefined) response.setHeader('Content-Disposition', `attachment; filename="${file}"`);
      response.status(status).type('json').send(json);
    });
  };
}

function isClear({ query }: Request): boolean {
  return query.secrets === 'show';
}

/** Reads a body. One that is too large is refused in words. */
function reading(json: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const isTooLarge = (error: unknown) => (error as { status?: number } | undefined)?.status === 413;
    json(request, response, (error) =>
      isTooLarge(error) ? refuse(response, 413, 'too_large', TOO_LARGE) : next(error),
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

/** Refuses requests without the control token. */
export function onlyWithToken(token: string): RequestHandler {
  return (request, response, next) => {
    if (sameText(tokenOf(request), token)) next();
    else
      refuse(
        response,
        401,
        'token_needed',
        'Please send the control token of the address that the demo printed.',
      );
  };
}

function refuse(response: Reply, status: number, reason: string, message: string): void {
  response.status(status).json({ error: { reason, message } });
}

function tokenOf({ headers, query }: Request): string {
  const [, given] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  return given ?? (typeof query.token === 'string' ? query.token : '');
}

/** A comment is sent this often, so that no idle timeout ends a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

/** @param clock a clock that nobody moves */
function eventStream(response: ServerResponse, clock: Clock): EventSink {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  let cancel: () => void;
  const keepAlive = () => {
    cancel = clock.after(KEEP_ALIVE_MS, () => {
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

const PLACE = '/client';
/** Files whose addresses are written for the root. */
const TEXTS = /^text\/(?:html|javascript|css)|^application\/(?:json|javascript)/;
/** What of the client's answer is passed on. */
const HEADERS = ['content-type', 'cache-control', 'referrer-policy', 'permissions-policy'];

/**
 * @param clientUrl base URL of the client's own server
 * @param aheadMs how far the client's clock is ahead of the machine's
 */
export function addClientFrame(app: Express, clientUrl: string, aheadMs: () => number): void {
  app.get(`${PLACE}/clock.js`, (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/javascript').send(clockScript(aheadMs()));
  });
  app.get(`${PLACE}{/*path}`, async (request, response) => {
    const place = request.baseUrl + PLACE;
    if (request.path === PLACE) response.redirect(308, `${place}/`);
    else await pass(request.path.slice(PLACE.length), place, response);
  });

  async function pass(path: string, place: string, response: Reply): Promise<void> {
    let answer: Response;
    try {
      answer = await fetch(clientUrl + path, { redirect: 'manual' });
    } catch {
      refuse(response, 503, 'client_away', 'The client does not answer. Does the demo run?');
      return;
    }
    response.status(answer.status);
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    const policy = answer.headers.get('content-security-policy');
    if (policy !== null) {
      response.setHeader(
        'Content-Security-Policy',
        policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
      );
    }
    const body = Buffer.from(await answer.arrayBuffer());
    const isText = TEXTS.test(answer.headers.get('content-type') ?? '');
    response.send(isText ? Buffer.from(moved(body.toString('utf8'), place)) : body);
  }
}

/** Moves addresses of the root below the frame's place, and loads the clock before any other script. */
function moved(text: string, place: string): string {
  return text
    .replace('<script ', `<script src="${place}/clock.js"></script><script `)
    .replaceAll('/assets/', `${place}/assets/`)
    .replaceAll('/config.json', `${place}/config.json`);
}

/** The page sets `demoClockAheadMs` again whenever the clock is moved. */
function clockScript(aheadMs: number): string {
  return `(() => {
  const now = Date.now.bind(Date);
  window.demoClockAheadMs = ${aheadMs};
  Date.now = () => now() + window.demoClockAheadMs;
})();
`;
}
