/**
 * Builds the HTML file of the report around its body. The file opens offline: it loads nothing, and its
 * security policy allows only its own style and script.
 */
import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './markup.ts';
import { script } from './script.ts';

/** Builds the file from a body, the given styles and the script of the report. `title` is a plain text. */
export function pageOf({ title, styles, body }: { title: string; styles: string; body: Markup }): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(styles)}'`,
    `script-src '${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(styles)}</style>
</head>
<body>
${body}
<script>${trusted(script)}</script>
</body>
</html>
`.text;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
