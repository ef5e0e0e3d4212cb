/** Serves a built site on this machine, as GitHub Pages does. */
import { createServer, type Server } from 'node:http';
import express from 'express';
import { bind } from '#service/http/listener/ports.ts';

export async function serveSite(directory: string, port: number): Promise<{ url: string; server: Server }> {
  const site = express();
  site.use(express.static(directory, { redirect: false }));
  // The option `extensions` above would try none after a name with a dot, which pages may have.
  site.use(({ path }, response, next) =>
    response.sendFile(`${decodeURIComponent(path)}.html`, { root: directory }, (error) => error && next()),
  );
  site.use((_request, response) => response.status(404).sendFile('404.html', { root: directory }));
  const server = createServer(site);
  return { url: `http://127.0.0.1:${await bind(server, { port })}/`, server };
}
