/** The authorization server's listener: JSON-RPC at the root, and through express the outbox and health. */
import type { RequestListener } from 'node:http';
import type { Pipeline } from '#protocol/methods/pipeline.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { limitPages, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import { createPages } from '#service/http/pages.ts';
import { asksFor, rpcListener } from '#service/http/rpc-http.ts';
import type { Log } from '#service/process/log.ts';
import type { AuthConfig } from './config.ts';
import type { Outbox } from './outbox/outbox.ts';
import { addOutboxRoutes } from './outbox/outbox-routes.ts';

export type HttpParts = {
  config: AuthConfig;
  pipeline: Pipeline;
  outbox: Outbox;
  log: Log;
  ready: () => void;
  /** The rate limiter. Absent: no limit. */
  limiter?: RateLimiter | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
};

const ENDPOINT = '/';
const READS = ['GET', 'HEAD'];

export function httpListener({
  config,
  pipeline,
  outbox,
  log,
  ready,
  limiter,
  onExchange,
}: HttpParts): RequestListener {
  const origins = new Set(config.origins);
  const rpc = rpcListener({
    pipeline,
    channel: 'public',
    origins,
    bodyLimit: config.bodyLimit,
    alsoServes: READS,
    limiter,
    onExchange,
  });
  const message =
    'There is nothing here. The JSON-RPC endpoint of this server is POST /, and its messages are at GET /outbox and on the page /sms.';
  const pages = createPages({
    ready,
    log,
    add: (app) => addOutboxRoutes(app, outbox, origins),
    notFound: { message, endpoint: ENDPOINT },
  });
  const limited = limiter ? limitPages(pages, limiter, origins) : pages;
  return (request, response) => {
    // The page shares its path with the endpoint. The HTTP method tells them apart.
    const isPage = READS.includes(request.method ?? '');
    return asksFor(request.url, ENDPOINT) && !isPage ? rpc(request, response) : limited(request, response);
  };
}
