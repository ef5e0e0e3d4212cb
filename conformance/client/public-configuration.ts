/** What a report shows of the file about a client: nothing that may be a secret. */
import type { ClientSettings } from './settings.ts';

/** Returns the settings by name, without the values of the environment. */
export function configurationOf({ client, ports, timeouts }: ClientSettings): Record<string, unknown> {
  return {
    client: { program: client.command[0] ?? '', variables: Object.keys(client.env) },
    ports: { ...ports },
    timeouts: { ...timeouts },
  };
}
