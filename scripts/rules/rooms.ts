/**
 * A relative import stays inside its room; `#room/file.ts` crosses. `biome.json` says which room may import
 * which.
 */
import { dirname, join } from 'node:path/posix';
import { nameOf, type Source, walk } from '../source.ts';
import type { Finding } from './finding.ts';

/** Reports relative imports that leave their room, and imports of a local file without its extension. */
export function roomsRule(source: Source): Finding[] {
  const { file } = source;
  const room = roomOf(file);
  const found: Finding[] = [];
  if (room === '') return found;
  walk(source.program, (node) => {
    const target = nameOf(node.source);
    if (target === undefined || !/^[.#]/.test(target)) return;
    const line = source.lineOf(node.start);
    if (target.startsWith('.') && roomOf(join(dirname(file), target)) !== room) {
      found.push({ file, line, message: `${target} leaves the room: import it as #room/file.ts.` });
    }
    if (!/\.[a-z]+(?:\?[a-z]+)?$/.test(target))
      found.push({ file, line, message: `${target} lacks its file extension.` });
  });
  return found;
}

/** Returns the top directory of a file, or an empty string for files at the root. */
function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : '';
}
