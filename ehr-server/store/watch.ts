/** Watches a store for failures, so that whoever looks after the server learns of them by number, on either engine. */
import type { Store } from './store.ts';

type Operation = (...given: never[]) => unknown;

/**
 * The same store; `onFailure` hears the name of each operation that throws or rejects, and why. What it returns, if
 * anything, is the failure that callers meet instead.
 */
export function watchStore(store: Store, onFailure: (operation: string, error: unknown) => unknown): Store {
  const watch = (name: keyof Store): [string, Operation] => {
    const operation: Operation = store[name];
    const fail = (error: unknown): never => {
      throw onFailure(name, error) ?? error;
    };
    return [
      name,
      (...given) => {
        try {
          const outcome = operation.apply(store, given);
          return outcome instanceof Promise ? outcome.catch(fail) : outcome;
        } catch (error) {
          return fail(error);
        }
      },
    ];
  };
  return Object.fromEntries(Object.keys(OPERATIONS).map((name) => watch(name as keyof Store))) as Store;
}

/** Named one by one: the methods of a class are no members of its own. */
const OPERATIONS: Readonly<Record<keyof Store, true>> = {
  findSession: true,
  findLink: true,
  refusalOf: true,
  saveSession: true,
  saveExchangeToken: true,
  link: true,
  countFailure: true,
  removeSession: true,
  removeUser: true,
  recordAccess: true,
  readAudit: true,
  purge: true,
  purgeFailures: true,
  purgeAudit: true,
  check: true,
  close: true,
};
