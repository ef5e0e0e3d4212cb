/** The titles of all flows, to tell a text that fits none before anything is started. */
import { readFileSync } from 'node:fs';
import { runCommand } from '#scripts/test/run-command.ts';
import { flows } from '../flows/index.ts';

/** Looks for the titles of tests in a source; what is put in at run time is left out. */
const TITLE =
  /\b(?:test|proves|claims|describe)\(\s*(?:\[[^\]]*\],)?\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const PUT_IN = /\$\{[^}]*\}/;

/** The most titles that are named in place of one that there is not. */
const MAX_NEAREST = 8;

/**
 * Returns undefined when a title contains the text, else the nearest titles. Asks the test runners only when
 * no title in the sources does: some are made at run time.
 */
export async function nearestTitles(grep: string, files: readonly string[]): Promise<string[] | undefined> {
  if (literalTitles(files).some((title) => title.includes(grep))) return undefined;
  const all = await listedTitles(files);
  // Where the titles cannot be read, the run itself says why.
  return !all || all.some((title) => title.includes(grep)) ? undefined : nearest(grep, all);
}

function literalTitles(files: readonly string[]): string[] {
  const ofFlows = files.some((file) => file.endsWith('flows.test.ts')) ? flows : [];
  const inSources = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([, single, double, template]) =>
      (single ?? double ?? template ?? '').split(PUT_IN).map((part) => part.replaceAll(/\\(.)/g, '$1')),
    ),
  );
  return [...ofFlows.map(({ name, sentence }) => `${name}: ${sentence}`), ...inSources];
}

/** Asks vitest and Playwright for the titles, which start no server for that. */
async function listedTitles(files: readonly string[]): Promise<string[] | undefined> {
  const list = async (...node: string[]) => {
    const lines: string[] = [];
    const { code } = await runCommand({ title: 'Reading the titles', node, onLine: (line) => lines.push(line) });
    return code === 0 ? lines : undefined;
  };
  const [unit, browser] = [
    files.filter((file) => file.endsWith('.test.ts')),
    files.filter((file) => file.endsWith('.spec.ts')),
  ];
  const [ofVitest, ofPlaywright] = await Promise.all([
    unit.length === 0 ? [] : list('node_modules/vitest/vitest.mjs', 'list', ...unit),
    browser.length === 0
      ? []
      : list('node_modules/@playwright/test/cli.js', 'test', '--list', '--reporter=list', ...browser),
  ]);
  if (!ofVitest || !ofPlaywright) return undefined;
  return [
    // `[flows] e2e/scripted/linking.test.ts > a title`
    ...ofVitest.flatMap((line) => / > (.*)$/.exec(line)?.[1] ?? []),
    // `  e2e/browser/codes.spec.ts:9:1 › a title`
    ...ofPlaywright.flatMap((line) => /:\d+:\d+ › (.*)$/.exec(line)?.[1]?.replaceAll(' › ', ' ') ?? []),
  ];
}

/** The titles that have most of the words. */
function nearest(grep: string, titles: readonly string[]): string[] {
  const words = wordsIn(grep);
  const scoreOf = (title: string) => {
    const own = wordsIn(title);
    return words.filter((word) => own.some((each) => each.startsWith(word.slice(0, MIN_START)))).length;
  };
  return [...new Set(titles)]
    .map((title) => ({ title, score: scoreOf(title) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_NEAREST)
    .map(({ title }) => title);
}

/** Words are near that begin with the same letters. */
const MIN_START = 4;
const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
