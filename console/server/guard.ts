/** Refuses foreign pages, and programs without the control token. The listener refuses foreign hosts. */
import type { Request, RequestHandler, Response } from 'express';
import { sameText } from '#protocol/wire/hashes/secrets.ts';

/** Refuses every request of a page that is not the console's own. */
export function onlyOwnOrigin(isOwn: (origin: string) => boolean): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || isOwn(origin)) next();
    else refuse(response, 403, 'origin_not_allowed', 'The console answers its own page alone.');
  };
}

/** Refuses requests without the control token. */
export function onlyWithToken(token: string): RequestHandler {
  return (request, response, next) => {
    if (sameText(tokenOf(request), token)) next();
    else
      refuse(
        response,
        401,
        'token_needed',
        'Please send the control token of the address that the demo printed.',
      );
  };
}

export function refuse(response: Response, status: number, reason: string, message: string): void {
  response.status(status).json({ error: { reason, message } });
}

function tokenOf({ headers, query }: Request): string {
  const [, given] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  return given ?? (typeof query.token === 'string' ? query.token : '');
}
