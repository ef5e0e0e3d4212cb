/**
 * Pages of the site from the Markdown in git: their routes, and their links as the site has them; and pages for
 * the files and folders that they link to, because a browser downloads most files of code.
 */

import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path/posix';
import { listFiles } from '#scripts/source.ts';
import { code, link, page } from './markdown.ts';
import { replaceLinks, replaceProse } from './prose.ts';

/** Where the page that the whole demo runs in stands on the site. It has no document. */
export const LIVE_PAGE = 'live/';

/** Returns the page of a Markdown file in git, such as `files.md` of `docs/files.md`. */
export function pageOf(file: string): string {
  const path = file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return path.includes('/') ? path : path.toLowerCase();
}

/** Returns the path on the site of a page: `/checks/` of `checks/index.md`, `/files` of `files.md`. */
export function routeOf(page: string): string {
  return `/${page.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;
}

/** A page of the site, and the files and folders of the project that it links to. */
type SitePage = { readonly text: string; readonly linked: readonly string[] };

/** Turns the Markdown file of this path in git into a page of the site. */
export function sitePage(
  file: string,
  text: string,
  isPage: (file: string) => boolean,
  kindOf: (path: string) => PathKind | undefined,
): SitePage {
  const linked: string[] = [];
  const changed = replaceLinks(text, (target) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/|^#/i.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const to = join(dirname(file), path);
    if (isPage(to)) return routeOf(pageOf(to)) + (anchor === undefined ? '' : `#${anchor}`);
    const kind = kindOf(to);
    if (kind === undefined) return undefined;
    linked.push(to);
    return sourceRoute(to, kind);
  });
  return { text: withPoints(file, escapedForVue(changed)), linked };
}

/** Escapes what Vue would take for an element or an expression of its own. */
export function escapedForVue(text: string): string {
  return replaceProse(text, (part) =>
    part
      .replaceAll('{{', '&#123;&#123;')
      .replace(
        /<(?!\/?(?:a|br|code|details|div|img|kbd|p|picture|source|sub|summary|sup)\b|!--|https?:)/g,
        '&lt;',
      ),
  );
}

/** Gives the open points that the index of the decisions names an address each. */
export function withPoints(file: string, text: string): string {
  if (file !== 'docs/decisions/README.md') return text;
  return text.replace(/^(- .*)\(((?:\w+)(?:, \w+)*)\)$/gm, (_, start: string, points: string) => {
    const anchors = points.split(', ').map((point) => `<a id="decision-${point.toLowerCase()}"></a>${point}`);
    return `${start}(${anchors.join(', ')})`;
  });
}

/** Files that every browser shows by itself. */
const SHOWN = /\.(?:json|png|svg|webp)$/;

type PathKind = 'file' | 'folder';

/** Returns what a path of the project is; undefined: there is none. */
export function kindOf(directory: string, path: string): PathKind | undefined {
  const found = statSync(join(directory, path), { throwIfNoEntry: false });
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'folder' : undefined;
}

/** Returns the path on the site of a file or a folder: `/source/docs/examples/flow-sh`. */
function sourceRoute(path: string, kind: PathKind): string {
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
