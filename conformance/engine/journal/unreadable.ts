/** Explains why a file that the user named could not be read. */

/** @param otherwise what is wrong with the file if it could be opened */
export function unreadable(cause: unknown, otherwise: string): string {
  const { code } = Object(cause) as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  return code === 'EACCES' ? 'it may not be read' : otherwise;
}
