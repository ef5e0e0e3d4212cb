/** A client that lacks an action which the interface leaves to it, as its file says. */
import type { ClientSettings } from '../settings.ts';
import type { ClientDriver } from './driver.ts';

/** The person ought to do what the client does not offer. The message is the reason of the file. */
export class ActionAbsent extends Error {}

/** Makes the driver refuse the actions that the client lacks. */
export function lacking(driver: ClientDriver, absent: ClientSettings['absent']): ClientDriver {
  const act = driver.act.bind(driver);
  return Object.assign(driver, {
    async act(action: Parameters<ClientDriver['act']>[0]) {
      const why = new Map<string, string | undefined>(Object.entries(absent)).get(action.do);
      if (why !== undefined) throw new ActionAbsent(`the client has no ${action.do}: ${why}`);
      return act(action);
    },
  });
}
