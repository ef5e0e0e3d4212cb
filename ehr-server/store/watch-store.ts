/** Reports the failures of a store, on either engine, so that they can be counted. */
import type { Store } from './store.ts';

type Operation = (...given: never[]) => unknown;

/**
 * Wrap a store. `onFailure` is called with the name of each operation that throws or rejects, and the error.
 * If it returns an error, callers get that one.
 */
export function watchStore(store: Store, onFailure: (operation: string, error: unknown) => unknown): Store {
  const watch = (name: keyof Store): [string, Operation][] => {
    const operation: Operation | undefined = store[name];
    if (!operation) return [];
    const fail = (error: unknown): never => {
      throw onFailure(name, error) ?? error;
    };
    const watched: Operation = (...given) => {
      try {
        const outcome = operation.apply(store, given);
        return outcome instanceof Promise ? outcome.catch(fail) : outcome;
      } catch (error) {
        return fail(error);
      }
    };
    return [[name, watched]];
  };
  return Object.fromEntries(Object.keys(OPERATIONS).flatMap((name) => watch(name as keyof Store))) as Store;
}

/** A full list, because the methods of a class are not its own members. */
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
  contents: true,
  keep: true,
  clear: true,
  endReads: true,
  purge: true,
  purgeFailures: true,
  purgeAudit: true,
  check: true,
  close: true,
};
