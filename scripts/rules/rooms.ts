/**
 * A relative import stays inside its room; `#room/file.ts` crosses. `biome.json` says which room may import
 * which.
 */
import { dirname, join } from 'node:path/posix';
import { nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';

/** Reports relative imports that leave their room. */
export function roomsRule(source: Source): Finding[] {
  const { file } = source;
  const room = roomOf(file);
  return findNodes(source, (node) => {
    const target = nameOf(node.source);
    if (room === '' || !target?.startsWith('.') || roomOf(join(dirname(file), target)) === room)
      return undefined;
    return `${target} leaves the room: import it as #room/file.ts.`;
  });
}

/** Returns the top directory of a file, or an empty string for files at the root. */
function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : '';
}
