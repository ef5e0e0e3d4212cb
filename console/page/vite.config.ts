/**
 * How the page is bundled: hashed files and nothing inline, which a content security policy would refuse.
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const room = fileURLToPath(new URL('.', import.meta.url));

const config: UserConfig = {
  root: room,
  // The demo on the site has the page at a path of its own.
  base: './',
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
