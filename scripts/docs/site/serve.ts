/** Serves a built site on this machine. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';

/** @param port 0 for any that is free */
export async function serveSite(directory: string, port: number): Promise<{ url: string; server: Server }> {
  const site = express();
  site.use(express.static(directory, { extensions: ['html'], redirect: false, dotfiles: 'ignore' }));
  site.use((_request, response) => response.status(404).sendFile(join(directory, '404.html')));
  const server = site.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
