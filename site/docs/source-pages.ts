/** Pages of the site for files and folders of the project: a browser downloads most files of code. */
import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path/posix';
import { listFiles } from '#scripts/source.ts';
import { code, link, page } from './markdown.ts';

/** Files that every browser shows by itself. */
const SHOWN = /\.(?:json|png|svg|webp)$/;

export type PathKind = 'file' | 'folder';

/** Returns what a path of the project is; undefined: there is none. */
export function kindOf(directory: string, path: string): PathKind | undefined {
  const found = statSync(join(directory, path), { throwIfNoEntry: false });
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'folder' : undefined;
}

/** Returns the path on the site of a file or a folder: `/source/docs/examples/flow-sh`. */
export function sourceRoute(path: string, kind: PathKind): string {
  if (kind === 'folder') return `/source/${path}/`;
  // A name with the ending of a file would be served as that file.
  return `/source/${SHOWN.test(path) ? path : path.replaceAll('.', '-')}`;
}

/** What the site has of files and folders: pages by their paths, and files as they are. */
type SourcePages = { readonly pages: Map<string, string>; readonly copied: Set<string> };

/** @param linked files and folders of the project, relative to it */
export function sourcePages(directory: string, linked: Iterable<string>): SourcePages {
  const pages = new Map<string, string>();
  const copied = new Set<string>();
  const add = (path: string) => {
    if (kindOf(directory, path) === 'folder') {
      const files = listFiles(directory, path);
      pages.set(`source/${path}/index.md`, folderPage(path, files));
      files.forEach(add);
    } else if (SHOWN.test(path)) copied.add(path);
    else pages.set(`${sourceRoute(path, 'file').slice(1)}.md`, filePage(directory, path));
  };
  for (const path of linked) add(path);
  return { pages, copied };
}

function folderPage(path: string, files: readonly string[]): string {
  const item = (file: string) => `- ${link(code(file.slice(path.length + 1)), sourceRoute(file, 'file'))}`;
  return page(`# ${code(path)}`, 'This page lists the files of a folder.', files.map(item).join('\n'));
}

function filePage(directory: string, path: string): string {
  const text = readFileSync(join(directory, path), 'utf8');
  const fence = '~'.repeat(8);
  return page(
    '---\naside: false\n---',
    `# ${code(path)}`,
    'This page shows a file.',
    `${fence}${extname(path).slice(1) || 'txt'}\n${text.trimEnd()}\n${fence}`,
  );
}
