/** The model with its changes, as React reads it. */
import { emptyModel, type Model } from './model.ts';

export type Store = {
  readonly current: () => Model;
  readonly change: (by: (model: Model) => Model) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

export function createStore(initial: Partial<Model> = {}): Store {
  let model: Model = { ...emptyModel, ...initial };
  const readers = new Set<() => void>();
  return {
    current: () => model,
    change(by) {
      const next = by(model);
      if (next === model) return;
      model = next;
      for (const read of readers) read();
    },
    subscribe(onChange) {
      readers.add(onChange);
      return () => readers.delete(onChange);
    },
  };
}
