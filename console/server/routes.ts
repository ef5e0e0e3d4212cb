/** The routes below `/api/`: what the page and curl may ask for, over HTTP. */
import type { Request, RequestHandler } from 'express';
import { systemClock } from '#protocol/time/clock.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { answerTo, openEvents } from './ask.ts';
import type { DemoWorld } from './demo-world.ts';
import { eventStream } from './events/event-stream.ts';
import { refuse } from './guard.ts';

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
