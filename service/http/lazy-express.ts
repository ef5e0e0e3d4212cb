/** Loads express with the first request that needs it, because express takes long to load. */
import type { RequestListener } from 'node:http';
import type express from 'express';
import type { Express } from 'express';
import { sendJson } from './http-error.ts';

/** Adds routes to an application. `express` is passed in, because importing it would load it. */
export type AddRoutes = (app: Express, from: typeof express) => void;

/**
 * Create a listener that loads express and builds its application with the first request. Requests wait until
 * then.
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
