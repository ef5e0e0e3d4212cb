/** A file that the user named cannot be used. The message is shown to the user without a stack. */
export class InputError extends Error {
  override name = 'InputError';
}
