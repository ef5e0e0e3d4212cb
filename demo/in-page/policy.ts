/** The policy of the page, which the client in its frame inherits: only their own files are asked for. */
import type { Plugin } from 'vite';

const POLICY = [
  "default-src 'none'",
  "script-src 'self' blob:",
  "worker-src 'self'",
  "style-src 'self' blob:",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes the policy into the page: a server of static files sends none. */
export function withPolicy(): Plugin {
  return {
    name: 'policy',
    transformIndexHtml: (html) =>
      html.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`),
  };
}
