/** The error of something that is expected to fail, for tests of what the error says. */

/**
 * Returns the error of this class that `action` throws.
 * @throws Error when it throws nothing, or the error that is of another class
 */
export function thrownBy<Kind extends Error>(
  kind: new (...args: never) => Kind,
  action: () => unknown,
): Kind {
  try {
    action();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
