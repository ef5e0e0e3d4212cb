/** Values available now or later. A step that knows its answer must not make a call wait for a microtask. */

export type MaybePromise<T> = T | Promise<T>;

/** Pass `value` to `next`, at once if it is no promise. Then an error of `next` is thrown. */
export function whenKnown<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
