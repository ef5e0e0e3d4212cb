/** The client's page within the console: the same files below another path, with a clock that can be moved. */
import type { Express, Response as Reply } from 'express';
import { refuse } from './http.ts';

const FRAME_PATH = '/client';
/** Files whose addresses are written for the root. */
const REWRITTEN_TYPES = /^text\/(?:html|javascript|css)|^application\/(?:json|javascript)/;
/** The headers of the client's answer that are passed on. */
const PASSED_HEADERS = [
  ...['content-type', 'cache-control', 'referrer-policy', 'permissions-policy'],
  'content-security-policy',
];

/**
 * Serves the client's page to the frame of the console, whose clock is the demo's.
 * @param clientUrl base URL of the client's own server
 * @param aheadMs how far the client's clock is ahead of the machine's
 */
export function addClientFrame(app: Express, clientUrl: string, aheadMs: () => number): void {
  app.get(`${FRAME_PATH}/clock.js`, (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/javascript').send(clockScript(aheadMs()));
  });
  app.get(`${FRAME_PATH}{/*path}`, async (request, response) => {
    const place = request.baseUrl + FRAME_PATH;
    if (request.path === FRAME_PATH) response.redirect(308, `${place}/`);
    else await pass(request.path.slice(FRAME_PATH.length), place, response);
  });

  /** The query is dropped: the client's files need none. */
  async function pass(path: string, place: string, response: Reply): Promise<void> {
    let answer: Response;
    try {
      answer = await fetch(clientUrl + path, { redirect: 'manual' });
    } catch {
      refuse(response, 503, 'client_away', 'The client does not answer. Does the demo run?');
      return;
    }
    response.status(answer.status);
    for (const name of PASSED_HEADERS) {
      const value = answer.headers.get(name);
      // The client's own policy allows no frame.
      if (value !== null)
        response.setHeader(name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    }
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const isText = REWRITTEN_TYPES.test(type);
    response.send(isText ? Buffer.from(belowFrame(body.toString('utf8'), type, place)) : body);
  }
}

/** Moves addresses of the root below the frame's place. A page loads the clock before any other script. */
function belowFrame(text: string, type: string, place: string): string {
  const moved = text
    .replaceAll('/assets/', `${place}/assets/`)
    .replaceAll('/config.json', `${place}/config.json`);
  const clock = `<script src="${place}/clock.js"></script>`;
  return type.startsWith('text/html') ? moved.replace('<script ', `${clock}<script `) : moved;
}

/** The console's page sets `demoClockAheadMs` again whenever the clock is moved. */
function clockScript(aheadMs: number): string {
  return `(() => {
  const now = Date.now.bind(Date);
  window.demoClockAheadMs = ${aheadMs};
  Date.now = () => now() + window.demoClockAheadMs;
})();
`;
}
