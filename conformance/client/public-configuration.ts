/** What a report shows of the file about a client: nothing that may be a secret. */
import type { ClientSettings } from './settings.ts';

/** Returns the settings by name, without the values of the environment. */
export function configurationOf({ client, browser, ports, timeouts }: ClientSettings): Record<string, unknown> {
  return {
    ...(client && { client: { program: client.command[0] ?? '', variables: Object.keys(client.env) } }),
    ...(browser && { browser: { address: browser.address, can: browser.can } }),
    ports: { ...ports },
    timeouts: { ...timeouts },
  };
}
