/** Reports the failures of a store, on either engine, so that they can be counted. */
import type { Store } from './store.ts';

type Operation = (...given: never[]) => unknown;

/**
 * Wrap a store. `onFailure` is called with the name of each operation that throws or rejects, and the error.
 * If it returns an error, callers get that one.
 */
export function watchStore(store: Store, onFailure: (operation: string, error: unknown) => unknown): Store {
  const watch = ([name, operation]: [string, Operation]): [string, Operation] => {
    const fail = (error: unknown): never => {
      throw onFailure(name, error) ?? error;
    };
    const watched: Operation = (...given) => {
      try {
        const outcome = operation(...given);
        return outcome instanceof Promise ? outcome.catch(fail) : outcome;
      } catch (error) {
        return fail(error);
      }
    };
    return [name, watched];
  };
  return Object.fromEntries(Object.entries(store).map(watch)) as Store;
}
