/** How the page is bundled: nothing inline, which a content security policy would refuse. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The demo on the site has the page at a path of its own.
  base: './',
  plugins: [react()],
  build: { assetsInlineLimit: 0 },
};

// Vite reads its configuration only from the default export.
export default config;
