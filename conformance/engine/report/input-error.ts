/** A file that the user named is not valid: shown in one sentence, without a stack. */
export class InputError extends Error {
  override name = 'InputError';
}
