/** How the client is bundled: one page, nothing inline, which its policy would refuse. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  build: { assetsInlineLimit: 0 },
};

// Vite reads its configuration only from the default export.
export default config;
