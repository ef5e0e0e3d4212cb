/** Settings of VitePress. The builder copies this file beside the pages, which it writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { slug } from '#scripts/docs/markdown.ts';

const menu = JSON.parse(readFileSync(join(import.meta.dirname, '../menu.json'), 'utf8'));

/** Pages that are made of tables of the code. */
const ONE_OF_MANY = /^(?:checks|requirements|defects)\//;

export default defineConfig({
  lang: 'en',
  title: 'Embedded EHR harness',
  description: 'An EHR server, an authorization server and a client to test against, and a conformance kit.',
  cleanUrls: true,
  // Looked at with the documents: `npm run docs -- --check`.
  ignoreDeadLinks: true,
  // One list of all pages for the whole site, in place of one in each of twelve hundred pages.
  metaChunk: true,
  markdown: { anchor: { slugify: slug } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Of a page of many alike, the search knows the beginning.
        _render: (
          text: string,
          env: { relativePath: string },
          md: { render(text: string, env: unknown): string },
        ) =>
          md.render(ONE_OF_MANY.test(env.relativePath) ? (text.split(/^(?:## |\| )/m)[0] ?? '') : text, env),
        miniSearch: {
          searchOptions: { boostDocument: (id: string) => (ONE_OF_MANY.test(id.slice(1)) ? 0.6 : 1) },
        },
      },
    },
    nav: [
      { text: 'Judge a party', link: '/judge' },
      { text: 'Interface', link: '/interface' },
      { text: 'Checks', link: '/checks/' },
    ],
    sidebar: menu,
    outline: [2, 3],
  },
});
