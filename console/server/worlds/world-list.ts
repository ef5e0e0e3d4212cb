/** The list of all worlds, at the root and for a name that no world has. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AddRoutes } from '#service/http/lazy-express.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .5rem; padding: 0; list-style: none; }
a { display: block; padding: .5rem .75rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent);
  border-radius: .5rem; overflow-wrap: anywhere; color: inherit; text-decoration: none; }
a:hover, a:focus-visible { outline: 2px solid; outline-offset: 1px; }`;

const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** @param names letters, digits and hyphens alone */
export function worldList(names: readonly string[]): AddRoutes {
  return (app) => {
    app.get(
      '/',
      (_request, response) => void response.set(HEADERS).send(pageOf('The worlds of this demo', names)),
    );
    app.use('/w', (request, response) => tellUnknown(request, response, names));
  };
}

function tellUnknown(request: Request, response: Response, names: readonly string[]): void {
  response.status(404).set(HEADERS);
  if (request.accepts(['json', 'html']) === 'html') response.send(pageOf('There is no such world', names));
  else {
    const message = `There is no such world. The worlds are ${names.join(', ')}.`;
    response.json({ error: { reason: 'world_unknown', message, worlds: names } });
  }
}

function pageOf(title: string, names: readonly string[]): string {
  const items = names.map((name) => `<li><a href="/w/${name}/">${name}</a></li>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
<p>Each world is a demo of its own. The demo prints its address with its token.</p>
<ul>${items}</ul></main></body></html>`;
}
