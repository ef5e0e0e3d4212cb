/** The bundle of the page without an installation: static files, which work below any path. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from '#service/process/build-pages.ts';

const pageConfig = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const clientConfig = fileURLToPath(new URL('client/vite.config.ts', import.meta.url));

/** Everything that runs in the page. */
const SOURCES = [
  ...['console', 'demo/in-page', 'conformance/engine', 'conformance/roles', 'mock-client'],
  ...['ehr-server', 'mock-auth-server', 'mis-fixtures', 'protocol'],
];

export async function buildInPage(directory: string): Promise<void> {
  const page = await buildPages(pageConfig, SOURCES);
  const client = await buildPages(clientConfig, ['demo/in-page', 'mock-client', 'protocol']);
  cpSync(page.directory, directory, { recursive: true });
  cpSync(client.directory, join(directory, 'client'), { recursive: true });
}
