/** A client that lacks an action which the interface leaves to it, as its file says. */
import type { Action, ClientDriver } from './driver.ts';

export class ActionAbsent extends Error {}

type Absent = Readonly<Partial<Record<Action['do'], string | undefined>>>;

export function lacking(driver: ClientDriver, absent: Absent): ClientDriver {
  const act = driver.act.bind(driver);
  driver.act = async (action) => {
    const why = absent[action.do];
    if (why !== undefined) throw new ActionAbsent(`the client has no ${action.do}: ${why}`);
    return act(action);
  };
  return driver;
}
