/** Pages of the site from the Markdown in git: their routes, and their links as the site has them. */
import { dirname, join } from 'node:path/posix';
import { replaceLinks, replaceProse } from './prose.ts';
import { type PathKind, sourceRoute } from './source-pages.ts';

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
  return { text: withPoints(file, safe(changed)), linked };
}

export function generatedPage(text: string): string {
  return safe(text);
}

/** Escapes what Vue would take for an element or an expression of its own. */
function safe(text: string): string {
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
