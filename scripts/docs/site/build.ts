/** Builds the site: its pages as Markdown, and VitePress over them. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { generate, markdownOf } from '../generate.ts';
import { withKeys } from '../pages/file-keys.ts';
import { generatedPage, pageOf, sitePage } from './hand-written.ts';
import { menuOf } from './menu.ts';

const run = promisify(execFile);

/**
 * Builds the site of the project.
 * @param directory the project
 * @param to where the site goes, below the project
 */
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
}

/** Writes all pages and the files that they link to. Returns the pages by their paths. */
function writePages(directory: string, source: string): Map<string, string> {
  const markdown = markdownOf(directory);
  const isFile = (path: string) =>
    statSync(join(directory, path), { throwIfNoEntry: false })?.isFile() ?? false;
  const pages = new Map<string, string>();
  for (const file of markdown) {
    const written = readFileSync(join(directory, file), 'utf8');
    const text = file === 'docs/files.md' ? withKeys(written) : written;
    const page = sitePage(file, text, (path) => markdown.includes(path), isFile);
    pages.set(pageOf(file), page.text);
    for (const linked of page.files)
      cpSync(join(directory, linked), join(source, 'public/files', linked), { recursive: true });
  }
  for (const [path, text] of generate(directory).pages) pages.set(path, generatedPage(text));
  for (const [path, text] of pages) write(join(source, path), text);
  return pages;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
