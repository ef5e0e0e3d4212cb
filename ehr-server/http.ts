/**
 * The EHR server's listeners: the endpoint's path goes straight to the pipeline, all other paths to express.
 */
import type { RequestListener } from 'node:http';
import type { Channel, Pipeline } from '#protocol/methods/pipeline.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { limitPages, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import { createPages } from '#service/http/pages.ts';
import { asksFor, rpcListener } from '#service/http/rpc-http.ts';
import type { Log } from '#service/process/log.ts';
import { type EhrConfig, endpointPath } from './config.ts';
import { METRICS_PATH } from './metrics/serve.ts';

export type HttpParts = {
  config: EhrConfig;
  pipeline: Pipeline;
  channel: Channel;
  log: Log;
  ready: () => Promise<void>;
  /** The rate limiter. Absent: no limit. */
  limiter?: RateLimiter | undefined;
  /** Called with the HTTP status of every request that ended with an HTTP error. */
  onHttpError?: (status: number) => void;
  /** Answers at `/metrics`, never on a listener that clients reach. */
  metrics?: RequestListener | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
};

/** Create the request listener of one channel. */
export function httpListener(parts: HttpParts): RequestListener {
  const { config, pipeline, channel, log, ready, onExchange, limiter, onHttpError } = parts;
  const path = endpointPath(config.apiVersion);
  // Web pages may not call the internal channel.
  const origins = new Set(channel === 'internal' ? [] : config.origins);
  const rpc = rpcListener({
    pipeline,
    channel,
    origins,
    bodyLimit: config.bodyLimit,
    limiter,
    onHttpError,
    onExchange,
  });
  const message = `There is nothing here. The JSON-RPC endpoint of this server is POST ${path}`;
  const pages = createPages({
    ready,
    log,
    notFound: { message, apiVersion: config.apiVersion, endpoint: path },
  });
  const metrics = channel === 'internal' ? parts.metrics : undefined;
  const beside: RequestListener = (request, response) => {
    if (onHttpError)
      response.on('finish', () => response.statusCode >= 400 && onHttpError(response.statusCode));
    if (metrics && asksFor(request.url, METRICS_PATH)) metrics(request, response);
    else pages(request, response);
  };
  const limited = limiter ? limitPages(beside, limiter, origins) : beside;
  return (request, response) =>
    asksFor(request.url, path) ? rpc(request, response) : limited(request, response);
}
