/** Values that are there at once or come later: a step that knows its answer must not cost a call a turn of the promise queue. */

export type MaybePromise<T> = T | Promise<T>;

/** Hands `value` to `next`, at once where it is there at once. What `next` throws is then thrown, too, and not rejected with. */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
