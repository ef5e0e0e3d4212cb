/** How the page without an installation is bundled: the console's page, with its network replaced. */
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';
import consolePage from '#console/page/vite.config.ts';
import { packageVersion } from '#service/process/command-line/program-name.ts';
import { withPolicy } from './policy.ts';

const config: UserConfig = {
  ...consolePage,
  plugins: [...(consolePage.plugins ?? []), withPolicy()],
  resolve: { alias: { './connection/network.ts': fileURLToPath(new URL('network.ts', import.meta.url)) } },
  define: { PACKAGE_VERSION: JSON.stringify(packageVersion()) },
  worker: { format: 'es' },
};

// Vite reads its configuration only from the default export.
export default config;
