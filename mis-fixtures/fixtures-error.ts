/** The errors that the fixtures tool reports as a sentence, without a stack. */

/** The population cannot be written as requested. The message says what was given and what to do. */
export class FixturesError extends Error {
  override name = 'FixturesError';
}

/** The run was interrupted and nothing was written. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}
