/** The EHR server's listeners: the endpoint's own path goes straight to the pipeline, everything else to express. */
import type { RequestListener } from 'node:http';
import type { Channel, Pipeline } from '#protocol/pipeline.ts';
import type { Exchange } from '#protocol/wire-guard.ts';
import type { Log } from '#service/log.ts';
import { createPages } from '#service/pages.ts';
import { asksFor, rpcListener } from '#service/rpc-http.ts';
import { type EhrConfig, endpointPath } from './config.ts';

export type HttpParts = {
  config: EhrConfig;
  pipeline: Pipeline;
  channel: Channel;
  log: Log;
  ready: () => Promise<void>;
  observe?: ((exchange: Exchange) => void) | undefined;
};

/** The request listener of one channel. */
export function httpListener({ config, pipeline, channel, log, ready, observe }: HttpParts): RequestListener {
  const path = endpointPath(config.apiVersion);
  // Pages of a browser have no business on the internal channel.
  const origins = new Set(channel === 'internal' ? [] : config.origins);
  const rpc = rpcListener({ pipeline, channel, origins, bodyLimit: config.bodyLimit, observe });
  const message = `There is nothing here. The JSON-RPC endpoint of this server is POST ${path}`;
  const pages = createPages({ ready, log, notFound: { message, apiVersion: config.apiVersion, endpoint: path } });
  return (request, response) => (asksFor(request.url, path) ? rpc(request, response) : pages(request, response));
}
