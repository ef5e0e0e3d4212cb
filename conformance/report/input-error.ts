/** A file that the user named is not what it has to be: to be told in one sentence, without a stack. */
export class InputError extends Error {
  override name = 'InputError';
}
