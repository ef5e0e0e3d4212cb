/** Checks the links between the documents: each relative one leads to a file, and its anchor to a heading. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { LIVE_PAGE, pageOf, routeOf, withPoints } from './hand-written.ts';
import { slug } from './markdown.ts';
import { linksIn, prose } from './prose.ts';

export type Documents = {
  readonly directory: string;
  /** The Markdown files in git, relative to it. */
  readonly files: readonly string[];
  /** The text of each page that stands on the site only. */
  readonly pages?: ReadonlyMap<string, string>;
};

/** Lists the broken links of documents, one sentence each. */
export function brokenLinks({ directory, files, pages = new Map() }: Documents): string[] {
  const known = new Map<string, Document>();
  const read = (file: string): Document => {
    const text = () => pages.get(file) ?? withPoints(file, readFileSync(join(directory, file), 'utf8'));
    const document = known.get(file) ?? documentOf(text());
    known.set(file, document);
    return document;
  };
  const byRoute = new Map([
    ...files.map((file) => [routeOf(pageOf(file)), file] as const),
    ...[...pages.keys()].map((page) => [routeOf(page), page] as const),
  ]);
  const problemWith = (file: string, { target, line }: PageLink): string[] => {
    const isOnSite = target.startsWith('/');
    if (!isOnSite && /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return [];
    const [path = '', anchor = ''] = decodeURI(isOnSite ? target.slice(1) : target).split('#');
    if (isOnSite && path === LIVE_PAGE) return [];
    const beside = path === '' ? file : join(dirname(file), path);
    const to = isOnSite ? (byRoute.get(`/${path}`) ?? '') : beside;
    const problem = (what: string) => [`${file}:${line} the link ${target} leads nowhere: ${what}.`];
    if (isOnSite ? to === '' : to.startsWith('..') || !(pages.has(to) || existsSync(join(directory, to))))
      return problem(isOnSite ? 'the site has no such page' : `there is no ${to}`);
    if (anchor === '' || !to.endsWith('.md') || read(to).anchors.has(anchor)) return [];
    return problem(`${to} has no heading #${anchor}`);
  };
  return [...files, ...pages.keys()].flatMap((file) =>
    read(file).links.flatMap((link) => problemWith(file, link)),
  );
}

type PageLink = { readonly target: string; readonly line: number };
type Document = { readonly links: readonly PageLink[]; readonly anchors: ReadonlySet<string> };

function documentOf(text: string): Document {
  const lines = prose(text);
  return { links: linksOf(lines), anchors: anchorsIn(lines) };
}

function linksOf(lines: readonly string[]): PageLink[] {
  return lines.flatMap((content, index) => linksIn(content).map((target) => ({ target, line: index + 1 })));
}

function anchorsIn(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const content of lines) {
    const [, heading, given] = /^#{1,6}\s+(.*?)\s*(?:\{#([^}]+)\}|#*)$/.exec(content) ?? [];
    if (given !== undefined) anchors.add(given);
    else if (heading !== undefined)
      anchors.add(unused(slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')), anchors));
    for (const match of content.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(match[1] as string);
  }
  return anchors;
}

/** Adds a number to an anchor that is already taken: the second heading of the same text gets one. */
function unused(anchor: string, taken: ReadonlySet<string>): string {
  if (!taken.has(anchor)) return anchor;
  let count = 1;
  while (taken.has(`${anchor}-${count}`)) count++;
  return `${anchor}-${count}`;
}
