/**
 * Serves an endpoint of the EHR server over HTTP: path with version, method, content type, size, CORS (§4,
 * §9).
 */
import { createServer } from 'node:http';

/** Limits a request. Calls of the interface are far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Makes the handler of one endpoint.
 * @param origins web origins whose pages may call
 * @param onBody returns the reply to a body; `undefined` when the caller expects none
 */
export function endpoint(version, origins, onBody) {
  const path = version === '' ? '/' : `/${version}/`;
  return async (request, response) => {
    const send = (status, reply) => {
      const type = reply && { 'content-type': 'application/json' };
      const allow = status === 405 && { allow: 'POST, OPTIONS' };
      const headers = { 'cache-control': 'no-store', ...corsHeaders(request, origins), ...type, ...allow };
      response.writeHead(status, headers).end(reply && JSON.stringify(reply));
    };
    // A request that is no call gets an HTTP error. A refused call gets HTTP 200 and a JSON-RPC error.
    const refuse = (status, message) =>
      send(status, { error: { status, message }, apiVersion: version, endpoint: path });
    if (![path, path.slice(0, -1)].includes(request.url.split('?')[0]))
      return refuse(404, `The endpoint is ${path}.`);
    if (request.method === 'OPTIONS') return send(204);
    if (request.method !== 'POST') return refuse(405, 'Send a POST.');
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type']))
      return refuse(415, 'Send application/json.');
    const body = await readBody(request);
    if (!body) return refuse(413, `Send at most ${MAX_BODY_BYTES} bytes.`);
    const reply = onBody(body);
    return send(reply ? 200 : 204, reply);
  };
}

/**
 * Reads a body; `undefined` when it is too large. Reads on to its end in any case, since many senders read no
 * answer before they have sent everything.
 */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/**
 * The headers that let a page of a listed origin call. They name that origin, since `*` is not allowed for
 * calls with credentials.
 */
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

/** Listens on a port of this machine; 0 takes a free one. Resolves to the server and its address. */
export async function listen(handler, port) {
  const server = createServer((request, response) =>
    handler(request, response).catch(() => response.destroy()),
  );
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}
