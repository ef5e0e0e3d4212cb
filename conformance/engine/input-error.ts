/**
 * What the user gave (an option, a file, the set-up) cannot be used, or the user has stopped the command. The
 * message is shown without a stack, and the exit code is 2.
 */
export class InputError extends Error {
  override name = 'InputError';
}
