/** Says what a report may show of the file about a client: nothing that may be a secret. */
import type { ClientSettings } from './settings.ts';

/**
 * Returns the settings by name: of the environment the names of the variables alone, of a command its
 * program.
 */
export function configurationOf({
  client,
  browser,
  ports,
  timeouts,
}: ClientSettings): Record<string, unknown> {
  return {
    ...(client && { client: { program: client.command[0] ?? '', variables: Object.keys(client.env) } }),
    ...(browser && { browser: { address: browser.address, can: browser.can } }),
    ports: { ...ports },
    timeouts: { ...timeouts },
  };
}
