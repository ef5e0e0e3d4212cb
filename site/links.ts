/** Looks at the links of a built site: each leads to a file of it, and its anchor to an element. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The built HTML file of a page. */
type BuiltPage = { readonly targets: ReadonlySet<string>; readonly ids: ReadonlySet<string> };

/** Lists the broken links of a built site, one sentence each. */
export function brokenLinks(directory: string): string[] {
  const files = new Set(filesBelow(directory));
  const pages = new Map(
    [...files].filter(isHtml).map((file) => [file, pageOf(readFileSync(join(directory, file), 'utf8'))]),
  );
  const from = new Map<string, string>();
  for (const [file, { targets }] of pages)
    for (const target of targets) {
      const path = pathOf(target, file);
      if (path !== undefined && !from.has(path)) from.set(path, file);
    }
  return [...from].flatMap(([path, source]) => {
    const [route = '', anchor = ''] = decodeURIComponent(path).split('#');
    const file = [route.replace(/(^|\/)$/, '$1index.html'), `${route}.html`].find((each) => files.has(each));
    if (file === undefined) return [`${source}: the site has no ${path}.`];
    if (anchor === '' || pages.get(file)?.ids.has(anchor)) return [];
    return [`${source}: ${file} has no element #${anchor}.`];
  });
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

const isHtml = (file: string) => file.endsWith('.html');

function pageOf(html: string): BuiltPage {
  const targets = new Set<string>();
  const ids = new Set<string>();
  for (const [tag] of html.matchAll(/<[a-z][^>]*>/g))
    for (const [, name, value = ''] of tag.matchAll(/\s(href|src|srcset|id)="([^"]*)"/g))
      (name === 'id' ? ids : targets).add(value.replaceAll('&amp;', '&'));
  return { targets, ids };
}

/** Returns the path on the site with the anchor; undefined: the link leads to another site. */
function pathOf(target: string, file: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return undefined;
  const { pathname, hash } = new URL(target, `http://site/${file.replace(/(?:index)?\.html$/, '')}`);
  return pathname.slice(1) + hash;
}
