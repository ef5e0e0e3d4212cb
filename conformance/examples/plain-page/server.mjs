#!/usr/bin/env node
/**
 * Serves the page of `index.html`, and the client in plain JavaScript that it uses. The page reads from its
 * address where the two servers are, so that one server of files is enough for every run.
 *
 * Usage: node server.mjs --port 8090 [--also MODULE]
 * The page loads the module too, such as one that changes the client.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({ options: { port: { ...text, default: '8090' }, also: text } });
const page = (name) => new URL(name, import.meta.url);
const client = (name) => new URL(`../plain-client/${name}`, import.meta.url);

/** The files by their paths. */
const FILES = {
  '/': page('index.html'),
  '/page.mjs': page('page.mjs'),
  '/file.mjs': page('file.mjs'),
  ...(values.also && { '/also.mjs': pathToFileURL(values.also) }),
  ...Object.fromEntries(['flow.mjs', 'rpc.mjs', 'texts.mjs'].map((name) => [`/${name}`, client(name)])),
};

createServer(({ url = '/' }, response) => {
  const file = FILES[url.replace(/\?.*$/, '')];
  const type = file?.pathname.endsWith('.html') ? 'text/html' : 'text/javascript';
  response.writeHead(file ? 200 : 404, {
    'content-type': `${file ? type : 'text/plain'}; charset=utf-8`,
    'cache-control': 'no-store',
  });
  response.end(file ? readFileSync(file) : '// There is no such file.');
}).listen(Number(values.port), '127.0.0.1');
