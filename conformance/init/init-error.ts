/** What `init` tells its user in place of a stack. */

/** The file cannot be written as asked; the message says why and what to do. */
export class InitError extends Error {
  override name = 'InitError';
}

/** The user broke off; nothing was written. */
export class InitStopped extends Error {
  override name = 'InitStopped';
}
