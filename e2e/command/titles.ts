/** The titles of all flows, to name the nearest ones where a text fits none. */
import { runCommand } from '#scripts/test/run-command.ts';

/** The most titles that are named in place of one that there is not. */
const MAX_NEAREST = 8;
/** Words are near that begin with the same letters. */
const MIN_START = 4;

/** Returns the titles in these files that have most of the words of a text. */
export async function nearestTitles(text: string, files: readonly string[]): Promise<string[]> {
  return nearestOf(text, await listedTitles(files));
}

export function nearestOf(text: string, titles: readonly string[]): string[] {
  const words = wordsIn(text);
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

/** Asks vitest and Playwright for the titles, which start no server for that. */
async function listedTitles(files: readonly string[]): Promise<string[]> {
  const list = async (ending: string, title: RegExp, ...node: string[]) => {
    const own = files.filter((file) => file.endsWith(ending));
    if (own.length === 0) return [];
    const { output } = await runCommand({ title: 'Reading the titles', node: [...node, ...own] });
    return [...output.matchAll(title)].map(([, found = '']) => found.replaceAll(' › ', ' '));
  };
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--list', '--reporter=list'];
  const lists = [
    // `[flows] e2e/threats/client.test.ts > a title`
    list('.test.ts', / > (.*)$/gm, 'node_modules/vitest/vitest.mjs', 'list'),
    // `  e2e/browser/access.spec.ts:9:1 › a title`
    list('.spec.ts', /:\d+:\d+ › (.*)$/gm, ...playwright),
  ];
  return (await Promise.all(lists)).flat();
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
}
