/** How the client is bundled: one page, hashed files, nothing inline, which its policy would refuse. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const room = fileURLToPath(new URL('.', import.meta.url));

const config: UserConfig = {
  root: room,
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};

// Vite reads its configuration only from the default export.
export default config;
