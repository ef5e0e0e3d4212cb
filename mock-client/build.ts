/** The bundle of the client's page. An installed package has this module replaced, because it has no Vite. */
import { fileURLToPath } from 'node:url';
import { type Build, buildPages } from '#service/process/build-pages.ts';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));

/** @throws Error of Vite when the sources cannot be bundled */
export function buildClient(): Promise<Build> {
  return buildPages(configFile, ['mock-client', 'protocol']);
}
