/**
 * Serves `GET /metrics` in the text format of Prometheus, on the internal listener and the control port only.
 */
import type { RequestListener } from 'node:http';
import { discardBody } from '#service/http/bodies/read-body.ts';
import { sendHttpError } from '#service/http/http-error.ts';
import { packageVersion } from '#service/process/command-line/program-name.ts';
import type { Log } from '#service/process/log.ts';
import type { Meter } from './counts.ts';

export type MetricsOptions = {
  meter: Meter;
  /** Connections that are open now, by channel. */
  connections: () => ReadonlyMap<string, number>;
  /** Name of the database engine. */
  engine: string;
  log: Log;
};

export const METRICS_PATH = '/metrics';

/** Create the listener that answers with the counts. */
export function metricsListener(options: MetricsOptions): RequestListener {
  let opened: ReturnType<typeof openRegistry> | undefined;
  return (request, response) => {
    discardBody(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const message = 'The metrics are read by GET.';
      sendHttpError(response, { status: 405, reason: 'method_not_allowed', message }, { Allow: 'GET, HEAD' });
      return;
    }
    opened ??= openRegistry(options);
    opened
      .then(async (registry) => {
        const body = await registry.metrics();
        response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
        response.end(body);
      })
      .catch((err: unknown) => {
        opened = undefined;
        options.log.error({ err }, 'metrics failed');
        sendHttpError(response, {
          status: 503,
          reason: 'not_ready',
          message: 'The metrics could not be read.',
        });
      });
  };
}

async function openRegistry({ meter, connections, engine }: MetricsOptions) {
  const { createRegistry } = await import('./registry.ts');
  return createRegistry({ counts: meter.counts, connections, build: { version: packageVersion(), engine } });
}
