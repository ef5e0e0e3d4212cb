/** Builds the site: its pages as Markdown, VitePress over them, and the page that the whole demo runs in. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildInPage } from '#demo/in-page/build.ts';
import { generate, markdownOf } from './docs/generate.ts';
import {
  escapedForVue,
  kindOf,
  LIVE_PAGE,
  pageOf,
  routeOf,
  sitePage,
  sourcePages,
} from './docs/hand-written.ts';

const run = promisify(execFile);

/** Builds the site of the project into `to`, an absolute path below it. */
export async function buildSite(directory: string, to: string): Promise<void> {
  const source = `${to}-pages`;
  for (const old of [to, source]) rmSync(old, { recursive: true, force: true });
  const pages = writePages(directory, source);
  for (const file of ['config.ts', 'theme/index.ts', 'theme/style.css'])
    write(join(source, '.vitepress', file), readFileSync(join(directory, 'site', file), 'utf8'));
  write(join(source, 'menu.json'), JSON.stringify(menuOf(pages)));
  const program = join(directory, 'node_modules/vitepress/bin/vitepress.js');
  await run(process.execPath, ['--import', 'tsx', program, 'build', source, '--outDir', to], {
    cwd: directory,
  });
  await buildInPage(join(to, LIVE_PAGE));
}

/** Writes all pages and the files that they link to. Returns the pages by their paths. */
function writePages(directory: string, source: string): Map<string, string> {
  const markdown = markdownOf(directory);
  const pages = new Map<string, string>();
  const linked = new Set<string>();
  const isPage = (path: string) => markdown.includes(path);
  const kindBelow = (path: string) => kindOf(directory, path);
  for (const file of markdown) {
    const text = readFileSync(join(directory, file), 'utf8');
    const page = sitePage(file, text, isPage, kindBelow);
    pages.set(pageOf(file), page.text);
    for (const path of page.linked) linked.add(path);
  }
  for (const [path, text] of generate(directory).pages) pages.set(path, escapedForVue(text));
  const sources = sourcePages(directory, linked);
  for (const [path, text] of [...pages, ...sources.pages]) write(join(source, path), text);
  for (const file of sources.copied) cpSync(join(directory, file), join(source, 'public/source', file));
  return pages;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

type MenuItem = { readonly text: string; readonly link: string };
export type MenuSection = { readonly text: string; readonly items: readonly MenuItem[] };

/** The pages of each section, in order. A page that is in none stands under the last. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Use: [
    'index.md',
    'judge.md',
    'agents.md',
    'files.md',
    'running.md',
    'settings/index.md',
    'errors/index.md',
  ],
  'Look up': [
    'interface.md',
    'methods/index.md',
    'checks/index.md',
    'requirements/index.md',
    'decisions/index.md',
  ],
  Project: ['contributing.md', 'security.md', 'changelog.md'],
};

/** Pages that a list of their own leads to. */
const LISTED = /^decisions\/./;

/** The menu of the site: its sections, and the pages in each. */
function menuOf(pages: ReadonlyMap<string, string>): MenuSection[] {
  const named = Object.values(SECTIONS).flat();
  const others = [...pages.keys()].filter((page) => !named.includes(page) && !LISTED.test(page)).sort();
  return Object.entries(SECTIONS).map(([text, own], index, all) => ({
    text,
    items: [...own, ...(index === all.length - 1 ? others : [])]
      .filter((page) => pages.has(page))
      .map((page) => ({ text: titleOf(pages.get(page) ?? ''), link: routeOf(page) })),
  }));
}

/** Returns the first heading of a page, without its marks. */
function titleOf(text: string): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
}
