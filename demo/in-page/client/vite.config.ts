/** How the client of the demo in one page is bundled: the mock client, prepared for its frame. */
import { relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import type { Plugin, UserConfig } from 'vite';
import mockClient from '#mock-client/vite.config.ts';

function withFrame(): Plugin {
  const frame = fileURLToPath(new URL('frame.ts', import.meta.url));
  const source = relative(mockClient.root ?? '', frame);
  return {
    name: 'frame',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace('<script ', `<script type="module" src="./${source}"></script><script `),
    },
  };
}

const config: UserConfig = {
  ...mockClient,
  base: './',
  // The page around it gives the client its files: none of them finds others by its own address.
  build: { ...mockClient.build, assetsInlineLimit: Number.MAX_SAFE_INTEGER },
  plugins: [...(mockClient.plugins ?? []), withFrame()],
};

// Vite reads its configuration only from the default export.
export default config;
