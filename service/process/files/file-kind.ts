/** Tells what a path names before it is opened: opening a named pipe waits for ever, and a device may act. */
import { lstatSync, type Stats, statSync } from 'node:fs';

/**
 * What stands at the path in place of a regular file, such as `a directory`. Undefined: it is a regular file,
 * or nothing is there. A symbolic link is followed.
 */
export function otherThanFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isFile() ? undefined : kindOf(found);
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? 'a symbolic link to a file that does not exist'
    : undefined;
}

/**
 * As {@link otherThanFile}, for a text to read. What the shell opens for `<(command)` has a writer, so
 * reading it ends.
 */
export function otherThanText(path: string): string | undefined {
  return /^\/dev\/(?:fd\/\d+|stdin)$/.test(path) ? undefined : otherThanFile(path);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
