/** What the fixtures tool tells its user in place of a stack. */

/** The population cannot be written as asked; the message says what was given and what to do. */
export class FixturesError extends Error {
  override name = 'FixturesError';
}

/** The run was interrupted; nothing was written. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}
