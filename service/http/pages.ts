/** The pages of every party besides its endpoint, through express: health, readiness, and a 404 in JSON. */
import type { RequestListener } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Log } from '../process/log.ts';
import { outageLog } from '../process/outage-log.ts';
import { type HttpError, sendHttpError } from './http-error.ts';
import { type AddRoutes, lazyExpress } from './lazy-express.ts';

export type Pages = {
  /** Throws when the party cannot do its work now. The message goes only to the log. */
  ready: () => void | Promise<void>;
  log: Log;
  /** Add the party's own routes. */
  add?: AddRoutes;
  /** The answer to a path that does not exist. */
  notFound: Omit<HttpError, 'status' | 'reason'> & { reason?: string };
};

/** Create the pages of one party. Express is loaded with the first request. */
export function createPages({ ready, log, add, notFound }: Pages): RequestListener {
  const fail = (err: unknown) => log.error({ err }, 'page failed');
  const readiness = outageLog(log, { away: 'not ready', back: 'ready again' });
  const build: AddRoutes = (app, from) => {
    app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
    app.get('/readyz', async (_request, response) => {
      try {
        await ready();
        readiness.answered();
        response.json({ status: 'ready' });
      } catch (err) {
        readiness.failed(err);
        response.status(503).json({ status: 'not ready' });
      }
    });
    add?.(app, from);
    app.use((_request, response) =>
      sendHttpError(response, { reason: 'not_found', ...notFound, status: 404 } as HttpError),
    );
    app.use(jsonErrors(fail));
  };
  return lazyExpress(build, fail);
}

/** Answer failed requests: 400 if the request cannot be read, else 500, with a call of `onError`. */
export function jsonErrors(onError: (error: unknown) => void): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: { status?: number }, _request, response, _next) => {
    const isCallers = error.status !== undefined && error.status >= 400 && error.status < 500;
    if (!isCallers) onError(error);
    if (response.headersSent) {
      // It is too late for an answer. Cutting the connection keeps half a page from passing for a whole one.
      response.destroy();
      return;
    }
    const status = isCallers ? 400 : 500;
    response.status(status).json({ error: { status, reason: isCallers ? 'bad_request' : 'internal_error' } });
  };
}
