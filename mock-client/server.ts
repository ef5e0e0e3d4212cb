/** The client's own server: serves the page with the addresses of both servers. No call passes through it. */
import type express from 'express';
import type { Express } from 'express';
import { systemClock } from '#protocol/time/clock.ts';
import { listen } from '#service/http/listener/listener.ts';
import { builtPage, createPages, pageHeaders } from '#service/http/pages.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { createLog, type Log } from '#service/process/log.ts';
import type { Pair } from '#service/tls/tls-files.ts';
import { buildClient } from './build.ts';
import type { ClientConfig } from './rpc.ts';

export type ClientServerOptions = {
  /** Base URL of the EHR server, as the browser reaches it. */
  ehrUrl: string;
  /** Base URL of the authorization server, as the browser reaches it. */
  authUrl: string;
  /** Version segment of the EHR endpoint. Default: `1.0-alpha`. */
  apiVersion?: string;
  /** A page that shows the simulated messages. */
  smsUrl?: string | undefined;
  /** Default: `minutes`. */
  ttlUnit?: 'minutes' | 'seconds';
  host?: string;
  /** Host names accepted on a loopback address, beside those of this machine. */
  allowedHosts?: readonly string[];
  /** Default: 0, which picks a free port. */
  port?: number;
  /** Certificate and key for HTTPS. Absent: plain HTTP. */
  tls?: Pair | undefined;
  log?: Log;
};

export type ClientServer = {
  /** Such as `http://127.0.0.1:4300`, without a trailing slash. */
  url: string;
  port: number;
  close(): Promise<void>;
};

/**
 * Serves the client. Builds it first when its sources have changed.
 * @throws Error saying what is wrong and what to do, when the port is taken or the sources cannot be bundled
 */
export async function createClientServer(options: ClientServerOptions): Promise<ClientServer> {
  const { host = '127.0.0.1', port = 0, tls, log = createLog('mock-client', 'silent') } = options;
  const { directory } = await buildClient();
  const app = createPages({
    ready: () => undefined,
    log,
    add: (pages, from) => addClient(pages, from, directory, options),
    notFound: { message: 'There is nothing here. The client is the page /.' },
  });
  const {
    url,
    port: bound,
    stop,
  } = await listen(app, {
    host,
    port,
    portFlag: `${programName('client')} --port`,
    allowedHosts: options.allowedHosts,
    clock: systemClock,
    log,
    tls: tls && { ...tls, log },
  });
  return { url, port: bound, close: stop };
}

/** Returns the content of `/config.json`. */
function configFor(options: ClientServerOptions): ClientConfig {
  const { ehrUrl, authUrl, apiVersion = '1.0-alpha', smsUrl, ttlUnit = 'minutes' } = options;
  return { ehrUrl, apiVersion, authUrl, ...(smsUrl !== undefined && { smsUrl }), ttlUnit };
}

function addClient(
  app: Express,
  from: typeof express,
  directory: string,
  options: ClientServerOptions,
): void {
  const config = configFor(options);
  const headers = securityHeaders(config);
  app.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  app.get('/config.json', (_request, response) => void response.json(config));
  builtPage(directory)(app, from);
}

/** Allows the page to call only its two servers and to run only its own scripts. */
function securityHeaders({ ehrUrl, authUrl }: ClientConfig): Record<string, string> {
  const servers = [...new Set([ehrUrl, authUrl].map((url) => new URL(url).origin))].join(' ');
  return pageHeaders(`connect-src 'self' ${servers}`);
}
