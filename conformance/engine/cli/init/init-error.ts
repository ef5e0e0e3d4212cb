/** Errors of `init` that are shown without a stack. */

/** The file cannot be written as requested; the message says why and what to do. */
export class InitError extends Error {
  override name = 'InitError';
}

/** The user aborted; nothing was written. */
export class InitStopped extends Error {
  override name = 'InitStopped';
}
