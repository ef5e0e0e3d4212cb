/** How the demo in one page is bundled: the console's page, with its network replaced. */
import { fileURLToPath } from 'node:url';
import type { Plugin, UserConfig } from 'vite';
import consolePage from '#console/page/vite.config.ts';
import { packageVersion } from '#service/process/command-line/program-name.ts';

const config: UserConfig = {
  ...consolePage,
  plugins: [...(consolePage.plugins ?? []), withPolicy()],
  resolve: { alias: { './connection/network.ts': fileURLToPath(new URL('network.ts', import.meta.url)) } },
  define: { PACKAGE_VERSION: JSON.stringify(packageVersion()) },
  worker: { format: 'es' },
};

// Vite reads its configuration only from the default export.
export default config;

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
function withPolicy(): Plugin {
  return {
    name: 'policy',
    transformIndexHtml: (html) =>
      html.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`),
  };
}
