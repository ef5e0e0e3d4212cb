/** Builds the demo that runs in one page, without any server: static files, which work below any path. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from '#service/process/build-pages.ts';

const pageConfig = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const clientConfig = fileURLToPath(new URL('client/vite.config.ts', import.meta.url));

/** What the page and the client are bundled of: `buildPages` builds again when one of these changes. */
const PAGE_SOURCES = [
  ...['console', 'demo/in-page', 'demo/prepare/seed.ts', 'conformance/engine', 'conformance/roles'],
  ...['mock-client', 'ehr-server', 'mock-auth-server', 'mis-fixtures', 'protocol'],
];
const CLIENT_SOURCES = ['demo/in-page', 'mock-client', 'protocol'];

export async function buildInPage(directory: string): Promise<void> {
  const page = await buildPages(pageConfig, PAGE_SOURCES);
  const client = await buildPages(clientConfig, CLIENT_SOURCES);
  cpSync(page.directory, directory, { recursive: true });
  cpSync(client.directory, join(directory, 'client'), { recursive: true });
}
