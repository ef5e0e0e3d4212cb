/** What a report shows of the file about a client: nothing that may be a secret. */
import type { ClientSettings } from './settings.ts';

/** Returns the settings by name, without the values of the environment. */
export function configurationOf({
  client,
  browser,
  person,
  ports,
  timeouts,
}: ClientSettings): Record<string, unknown> {
  return {
    ...(client && { client: { program: client.command[0] ?? '', variables: Object.keys(client.env) } }),
    ...(browser && { browser: { address: browser.address, can: browser.can } }),
    ...(person && { person: { address: person.address ?? '' } }),
    ports: { ...ports },
    timeouts: { ...timeouts },
  };
}
