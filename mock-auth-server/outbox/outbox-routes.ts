/** The simulated phone over HTTP: `GET /outbox` for programs, and a page that shows the same to people. */
import { fileURLToPath } from 'node:url';
import type { Express, Request, Response } from 'express';
import { corsHeaders, preflightHeaders } from '#service/http/cors.ts';
import { sendHttpError, sendJson } from '#service/http/http-error.ts';
import { type Outbox, readOutboxQuery } from './outbox.ts';

const PAGE_ROOT = fileURLToPath(new URL('../page/', import.meta.url));
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** `GET /outbox?to=PHONE&wait=SECONDS&after=CURSOR`: newest first, at once or as soon as a message comes. */
export function addOutboxRoutes(app: Express, outbox: Outbox, origins: ReadonlySet<string>): void {
  app.get('/outbox', (request, response, next) => {
    answer(request, response, outbox, origins).catch(next);
  });
  app.options('/outbox', (request, response) => {
    response
      .writeHead(204, { Allow: 'GET, HEAD, OPTIONS', ...preflightHeaders(request, origins, 'GET') })
      .end();
  });
  app.all('/outbox', (request, response) => {
    const error = {
      status: 405,
      reason: 'method_not_allowed',
      message: 'The outbox is read by GET.',
    } as const;
    sendHttpError(response, error, { ...corsHeaders(request, origins), Allow: 'GET, HEAD, OPTIONS' });
  });
  app.get(['/', '/sms'], (_request, response) => sendPage(response, 'messages.html'));
  for (const file of ['messages.css', 'messages.js', 'texts.js', 'icon.svg'])
    app.get(`/sms/${file}`, (_request, response) => sendPage(response, file));
}

async function answer(
  request: Request,
  response: Response,
  outbox: Outbox,
  origins: ReadonlySet<string>,
): Promise<void> {
  const cors = { ...corsHeaders(request, origins), 'Access-Control-Expose-Headers': 'Outbox-Cursor' };
  const query = readOutboxQuery(new URL(request.originalUrl, 'http://localhost').searchParams);
  if (typeof query === 'string') {
    sendHttpError(response, { status: 400, reason: 'bad_request', message: query }, cors);
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const delivery = await outbox.wait(query, query.wait * 1_000, gone.signal);
  if (response.closed) return;
  if (delivery)
    sendJson(response, 200, JSON.stringify(delivery.messages), { ...cors, 'Outbox-Cursor': delivery.cursor });
  else
    sendHttpError(
      response,
      { status: 429, reason: 'too_many', message: 'Too many callers wait for messages.' },
      cors,
    );
}

function sendPage(response: Response, file: string): void {
  response.set(PAGE_HEADERS).sendFile(file, { root: PAGE_ROOT, cacheControl: false, acceptRanges: false });
}
