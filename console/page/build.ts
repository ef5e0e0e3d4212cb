/** The bundle of the console's page. */
import { fileURLToPath } from 'node:url';
import { type Build, buildPages } from '#service/process/build-pages.ts';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const SOURCES = ['console/page', 'console/api.ts', 'console/api', 'mock-client/ui/styles', 'protocol'];

/** @throws Error of Vite when the sources cannot be bundled */
export function buildConsolePage(): Promise<Build> {
  return buildPages(configFile, SOURCES);
}
