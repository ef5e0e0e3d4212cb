/** Settings of VitePress. The builder copies this file beside the pages, which it writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { slug } from '#site/docs/markdown.ts';

const menu = JSON.parse(readFileSync(join(import.meta.dirname, '../menu.json'), 'utf8'));

export default defineConfig({
  lang: 'en',
  title: 'Embedded EHR harness',
  description: 'An EHR server, an authorization server and a client to test against, and a conformance kit.',
  cleanUrls: true,
  // `npm run docs -- --check` and `site/site.long.spec.ts` look at the links.
  ignoreDeadLinks: true,
  markdown: {
    anchor: { slugify: slug },
    // Their comments have the contrast that VitePress' own themes of code lack.
    theme: { light: 'github-light-default', dark: 'github-dark-default' },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        _render: (
          text: string,
          env: { relativePath: string },
          md: { render(text: string, env: unknown): string },
        ) => md.render(env.relativePath.startsWith('source/') ? '' : text, env),
      },
    },
    nav: [
      // A page of its own, not one of VitePress: the browser has to load it.
      { text: 'See it live', link: '/live/', target: '_self' },
      { text: 'Judge a party', link: '/judge' },
      { text: 'Interface', link: '/interface' },
      { text: 'Checks', link: '/checks/' },
    ],
    sidebar: menu,
    outline: [2, 3],
    // Most pages stand in no row.
    docFooter: { prev: false, next: false },
  },
});
