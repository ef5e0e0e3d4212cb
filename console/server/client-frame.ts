/** Serves the client's page below the console's own address: there it can stand in a frame and be filled. */
import type { Express } from 'express';
import { refuse } from './guard.ts';

const PLACE = '/client';
/** Files whose addresses are written for the root. */
const TEXTS = /^text\/(?:html|javascript|css)|^application\/(?:json|javascript)/;
/** What of the client's answer is passed on. */
const HEADERS = ['content-type', 'cache-control', 'referrer-policy', 'permissions-policy'];

/** @param clientUrl base URL of the client's own server */
export function addClientFrame(app: Express, clientUrl: string): void {
  app.get(`${PLACE}{/*path}`, async (request, response) => {
    if (request.path === PLACE) response.redirect(308, `${PLACE}/`);
    else await pass(request.path.slice(PLACE.length), response);
  });

  async function pass(path: string, response: Parameters<typeof refuse>[0]): Promise<void> {
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
      response.setHeader('Content-Security-Policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    }
    const body = Buffer.from(await answer.arrayBuffer());
    const isText = TEXTS.test(answer.headers.get('content-type') ?? '');
    response.send(isText ? Buffer.from(moved(body.toString('utf8'))) : body);
  }
}

/** Moves addresses of the root below the frame's place. */
function moved(text: string): string {
  return text.replaceAll('/assets/', `${PLACE}/assets/`).replaceAll('/config.json', `${PLACE}/config.json`);
}
