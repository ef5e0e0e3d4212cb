/** Checks the links between the documents: each relative one leads to a file, and its anchor to a heading. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { slug } from './markdown.ts';

/**
 * Lists the broken links of Markdown files, one sentence each.
 * @param directory the project
 * @param files the documents, relative to it
 */
export function brokenLinks(directory: string, files: readonly string[]): string[] {
  const known = new Map<string, Document>();
  const read = (file: string): Document => {
    const document = known.get(file) ?? documentOf(readFileSync(join(directory, file), 'utf8'));
    known.set(file, document);
    return document;
  };
  const problemWith = (file: string, { target, line }: PageLink): string[] => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return [];
    const [path = '', anchor = ''] = decodeURI(target).split('#');
    const to = path === '' ? file : join(dirname(file), path);
    const problem = (what: string) => [`${file}:${line} the link ${target} leads nowhere: ${what}.`];
    if (to.startsWith('..') || !existsSync(join(directory, to))) return problem(`there is no ${to}`);
    if (anchor === '' || !to.endsWith('.md') || read(to).anchors.has(anchor)) return [];
    return problem(`${to} has no heading #${anchor}`);
  };
  return files.flatMap((file) => read(file).links.flatMap((link) => problemWith(file, link)));
}

type PageLink = { readonly target: string; readonly line: number };
type Document = { readonly links: readonly PageLink[]; readonly anchors: ReadonlySet<string> };

function documentOf(text: string): Document {
  const lines = prose(text);
  return { links: linksOf(lines), anchors: anchorsIn(lines) };
}

/** `[text](target)`, `![alt](target)`, `[name]: target`, and `src` and `href` of embedded HTML. */
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/g;

function linksOf(lines: readonly string[]): PageLink[] {
  return lines.flatMap((content, index) =>
    [...content.matchAll(LINK)].map((match) => ({
      target: match[1] ?? match[2] ?? match[3] ?? '',
      line: index + 1,
    })),
  );
}

function anchorsIn(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const content of lines) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content)?.[1];
    if (heading !== undefined)
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

/** Returns the lines outside code, without the content of fences and inline code. */
function prose(text: string): string[] {
  let fence = '';
  return text.split('\n').map((content) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(content)?.[1] ?? '';
    if (fence === '' ? mark !== '' : mark.startsWith(fence)) {
      fence = fence === '' ? mark : '';
      return '';
    }
    // A heading keeps the words of its inline code: they are part of its anchor.
    if (fence !== '') return '';
    return content.startsWith('#') ? content.replaceAll('`', '') : content.replace(/`[^`]*`/g, '');
  });
}
