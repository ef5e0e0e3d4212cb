/** Serves an endpoint over HTTP: path and version, method, media type, size, CORS (§4, §9). */
import { createServer } from 'node:http';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Makes the handler of one endpoint.
 * @param {string} version segment of the path, or empty
 * @param {string[]} origins of the web pages that may call
 * @param {(body: Buffer) => object | undefined} onBody returns the reply; undefined when nobody waits for one
 */
export function endpoint(version, origins, onBody) {
  const path = version === '' ? '/' : `/${version}/`;
  return async (request, response) => {
    const send = (status, reply, headers) => {
      const type = reply && { 'content-type': 'application/json' };
      response.writeHead(status, {
        'cache-control': 'no-store',
        ...corsHeaders(request, origins),
        ...type,
        ...headers,
      });
      response.end(reply && JSON.stringify(reply));
    };
    // What never reached JSON-RPC has an HTTP status of its own. A refused call is HTTP 200.
    const refuse = (status, reason, message, headers) =>
      send(status, { error: { status, reason, message }, apiVersion: version, endpoint: path }, headers);
    const [pathname] = request.url.split('?');
    if (![path, path.slice(0, -1)].includes(pathname)) return refuse(404, 'not_found', `The endpoint is ${path}.`);
    if (request.method === 'OPTIONS') return send(204);
    if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Send a POST.', { allow: 'POST, OPTIONS' });
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type']))
      return refuse(415, 'unsupported_media_type', 'Send application/json.');
    const body = await readBody(request);
    if (!body) return refuse(413, 'too_large', `Send at most ${MAX_BODY_BYTES} bytes.`);
    const reply = onBody(body);
    return send(reply ? 200 : 204, reply);
  };
}

/** Reads a body. Of one that is too large the rest is thrown away, so that its sender hears the refusal. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** A page of a listed origin may call with credentials, so the answer names that very origin. */
function corsHeaders({ headers }, origins) {
  if (!origins.includes(headers.origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': headers.origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
  };
}

/** Listens, and resolves to the server and its address. */
export async function listen(handler, port, host = '127.0.0.1') {
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return { server, url: `http://${host}:${server.address().port}` };
}
