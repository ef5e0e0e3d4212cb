/** The folder that the server was started in. No tool reads or writes a file outside of it. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError } from '../engine/input-error.ts';

/** A folder whose paths a client may name. */
export class Folder {
  /** Its path without links. */
  readonly root: string;

  constructor(directory: string) {
    this.root = realpathSync(directory);
  }

  /**
   * Returns the path of a file or folder in this folder, without links.
   * @param what names the path in the error
   * @throws InputError when the path, or a link in it, leads out of the folder
   */
  within(what: string, given: string): string {
    const path = realPathOf(resolve(this.root, given));
    if (path !== undefined && !isOutside(relative(this.root, path))) return path;
    throw new InputError(
      `${what} names "${given}", which leads out of the folder that this server was started in: ${this.root}. Please name a path in it.`,
    );
  }
}

const isOutside = (way: string): boolean => way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);

/**
 * The path without links. Of what does not exist yet, the folders above count that do. Undefined for a link
 * to nothing, which a file could be written through.
 */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (isThere(path)) return undefined;
    const above = realPathOf(dirname(path));
    return above === undefined ? undefined : join(above, basename(path));
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where a folder should.
    return false;
  }
}
