/**
 * Serves the client's page below the console's own address: there it can stand in a frame, be filled, and
 * have the demo's time.
 */
import type { Express } from 'express';
import { refuse } from '../guard.ts';

const PLACE = '/client';
/** Files whose addresses are written for the root. */
const TEXTS = /^text\/(?:html|javascript|css)|^application\/(?:json|javascript)/;
/** What of the client's answer is passed on. */
const HEADERS = ['content-type', 'cache-control', 'referrer-policy', 'permissions-policy'];

/**
 * @param clientUrl base URL of the client's own server
 * @param aheadMs how far the client's clock is ahead of the machine's
 */
export function addClientFrame(app: Express, clientUrl: string, aheadMs: () => number): void {
  app.get(`${PLACE}/clock.js`, (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/javascript').send(clockScript(aheadMs()));
  });
  app.get(`${PLACE}{/*path}`, async (request, response) => {
    const place = request.baseUrl + PLACE;
    if (request.path === PLACE) response.redirect(308, `${place}/`);
    else await pass(request.path.slice(PLACE.length), place, response);
  });

  async function pass(path: string, place: string, response: Parameters<typeof refuse>[0]): Promise<void> {
    let answer: Response;
    try {
      answer = await fetch(clientUrl + path, { redirect: 'manual' });
    } catch {
      refuse(response, 503, 'client_away', 'The client does not answer. Does the demo run?');
      return;
    }
    response.status(answer.status);
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    const policy = answer.headers.get('content-security-policy');
    if (policy !== null) {
      response.setHeader(
        'Content-Security-Policy',
        policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
      );
    }
    const body = Buffer.from(await answer.arrayBuffer());
    const isText = TEXTS.test(answer.headers.get('content-type') ?? '');
    response.send(isText ? Buffer.from(moved(body.toString('utf8'), place)) : body);
  }
}

/** Moves addresses of the root below the frame's place, and loads the clock before any other script. */
function moved(text: string, place: string): string {
  return text
    .replace('<script ', `<script src="${place}/clock.js"></script><script `)
    .replaceAll('/assets/', `${place}/assets/`)
    .replaceAll('/config.json', `${place}/config.json`);
}

/** The page sets `demoClockAheadMs` again whenever the clock is moved. */
function clockScript(aheadMs: number): string {
  return `(() => {
  const now = Date.now.bind(Date);
  window.demoClockAheadMs = ${aheadMs};
  Date.now = () => now() + window.demoClockAheadMs;
})();
`;
}
