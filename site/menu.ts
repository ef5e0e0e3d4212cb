/** The menu of the site: its sections, and the pages in each. */
import { routeOf } from './docs/hand-written.ts';

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

export function menuOf(pages: ReadonlyMap<string, string>): MenuSection[] {
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
