/** Serves a built page: `index.html`, and `assets`, whose names have a digest of their content. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AddRoutes } from './lazy-express.ts';

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

/** @param headers of the page itself */
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
