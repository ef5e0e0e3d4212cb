/** Express takes longer to load than everything else a party needs, so it is loaded when the first request comes that it serves. */
import type { RequestListener } from 'node:http';
import type express from 'express';
import type { Express } from 'express';
import { sendJson } from './http-error.ts';

/** Adds routes to an application; `express` itself is handed in, because importing it would load it. */
export type AddRoutes = (app: Express, from: typeof express) => void;

/**
 * A listener that loads express and builds its application at the first request; requests wait for it meanwhile.
 * @param build adds the routes to an application that says nothing of what it is made with
 * @param onError hears of an application that could not be loaded; the request is answered 500, and the next one tries again
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
