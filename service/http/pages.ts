/** The pages of every party besides its endpoint, through express: health, readiness, and a 404 in JSON. */
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import { type Log, outageLog } from '../process/log.ts';
import { type HttpError, sendHttpError, sendJson } from './http-error.ts';

type Pages = {
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

const UNREADABLE: HttpError = {
  status: 400,
  reason: 'bad_request',
  message: 'The body cannot be read. Please send JSON, within the limit of this route.',
};
const FAILED = { status: 500, reason: 'internal_error' };

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
    response.status(isCallers ? 400 : 500).json({ error: isCallers ? UNREADABLE : FAILED });
  };
}

/** Adds routes to an application. `express` is passed in, because importing it would load it. */
export type AddRoutes = (app: Express, from: typeof express) => void;

/**
 * Create a listener that loads express, which takes long, and builds its application with the first request.
 * Requests wait until then.
 * @param build adds the routes to an application whose replies do not name express
 * @param onError called when the application could not be loaded. The request gets 500; the next one tries
 *   again.
 */
export function lazyExpress(build: AddRoutes, onError: (error: unknown) => void): RequestListener {
  let app: Express | undefined;
  let loading: Promise<Express> | undefined;
  return (request, response) => {
    if (app) {
      app(request, response);
      return;
    }
    loading ??= loadApp(build);
    loading.then(
      (loaded) => {
        app = loaded;
        loaded(request, response);
      },
      (error: unknown) => {
        loading = undefined;
        onError(error);
        sendJson(response, 500, JSON.stringify({ error: { status: 500, reason: 'internal_error' } }));
      },
    );
  };
}

async function loadApp(build: AddRoutes): Promise<Express> {
  const { default: from } = await import('express');
  const app = from().disable('x-powered-by').disable('etag');
  build(app, from);
  return app;
}

/**
 * The headers that let a page do only what `policy` names: no directive of it, nothing.
 * @param policy directives of the content security policy, such as `connect-src 'self'`
 */
export function pageHeaders(...policy: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      ...policy,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/**
 * Serve a built page: `index.html`, and `assets`, whose names have a digest of their content.
 * @param headers of the page itself
 */
export function builtPage(directory: string, headers: Record<string, string> = {}): AddRoutes {
  return (app, from) => {
    app.get('/', (_request, response) =>
      response.set(headers).sendFile('index.html', { root: directory, cacheControl: false }),
    );
    const setHeaders = (response: ServerResponse) =>
      void response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    const options = { setHeaders, cacheControl: false, index: false, redirect: false };
    app.use('/assets', from.static(join(directory, 'assets'), options));
  };
}
