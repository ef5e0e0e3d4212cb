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
  const pages = new Pages(directory);
  return files.flatMap((file) => linksOf(pages.linesOf(file)).flatMap((link) => problemWith(link, file, pages)));
}

/** The documents that links lead to, each read once. */
class Pages {
  readonly #directory: string;
  readonly #lines = new Map<string, string[]>();
  readonly #anchors = new Map<string, Set<string>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  has(file: string): boolean {
    return existsSync(join(this.#directory, file));
  }

  /** Returns the lines of a document without its code. */
  linesOf(file: string): string[] {
    const lines = this.#lines.get(file) ?? prose(readFileSync(join(this.#directory, file), 'utf8'));
    this.#lines.set(file, lines);
    return lines;
  }

  anchorsOf(file: string): Set<string> {
    const anchors = this.#anchors.get(file) ?? anchorsIn(this.linesOf(file));
    this.#anchors.set(file, anchors);
    return anchors;
  }
}

type Link = { target: string; line: number };

function problemWith({ target, line }: Link, file: string, pages: Pages): string[] {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return [];
  const [path = '', anchor] = decodeURI(target).split('#');
  const to = path === '' ? file : join(dirname(file), path);
  const problem = (what: string) => [`${file}:${line} the link ${target} leads nowhere: ${what}.`];
  if (to.startsWith('..') || !pages.has(to)) return problem(`there is no ${to}`);
  if (anchor === undefined || anchor === '' || !to.endsWith('.md')) return [];
  return pages.anchorsOf(to).has(anchor) ? [] : problem(`${to} has no heading #${anchor}`);
}

/** `[text](target)`, `![alt](target)`, `[name]: target`, and `src` and `href` of embedded HTML. */
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/g;

function linksOf(lines: readonly string[]): Link[] {
  return lines.flatMap((content, index) =>
    [...content.matchAll(LINK)].map((match) => ({ target: match[1] ?? match[2] ?? match[3] ?? '', line: index + 1 })),
  );
}

function anchorsIn(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const content of lines) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content)?.[1];
    if (heading !== undefined) anchors.add(unused(slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')), anchors));
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
