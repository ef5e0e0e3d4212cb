/** Serves the built page with its security headers. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AddRoutes } from '#service/http/lazy-express.ts';

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
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

/** @param directory contains `index.html` and `assets`, whose names have a digest of their content */
export function pageRoutes(directory: string): AddRoutes {
  return (app, from) => {
    const setHeaders = (response: ServerResponse) =>
      void response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    app.get('/', (_request, response) => {
      response.set(HEADERS).sendFile('index.html', { root: directory, cacheControl: false });
    });
    app.use(
      '/assets',
      from.static(join(directory, 'assets'), {
        setHeaders,
        cacheControl: false,
        index: false,
        redirect: false,
      }),
    );
  };
}
