import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { hostile } from '../testing/hostile.ts';
import { shownIn } from '../testing/pages.ts';
import { htmlOf } from './page.ts';

const fake = fakeRun({ crowd: 5 });
const report = fakeReport(fake);
const page = htmlOf(report);

/** The content of the only element of this name without attributes. */
const inside = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';

/** A page without its style, its script and its data. */
const frameOf = (text: string) =>
  text.replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>|(?<=id="shown">)[^<]*/g, '');

test('the page contains the report as it is written beside it', () => {
  expect(shownIn(page)).toEqual({ report: JSON.parse(JSON.stringify(report)) });
});

test('only its own style and script may act, and nothing is loaded', () => {
  const hash = (tag: string) => `'sha256-${createHash('sha256').update(inside(tag)).digest('base64')}'`;
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toBe(
    `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(page).toContain('<meta http-equiv="x-dns-prefetch-control" content="off">');
  expect(frameOf(page)).not.toMatch(/\s(?:src|srcset|href|action|poster)="(?!data:,")/);
  expect(frameOf(page)).not.toMatch(/\sstyle=|\son[a-z]+=/);
  expect(inside('style')).not.toMatch(/url\(|@import/);
});

test('the script makes texts, and never markup or code', () => {
  const script = inside('script');
  expect(script).toContain('createElement');
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|setHTML|DOMParser|document\.write/);
  expect(script).not.toMatch(/createContextualFragment|\beval\b|\bFunction\(|\bimport\(|\bfetch\b/);
});

test('text of the run changes no tag of the page', () => {
  const harmed = htmlOf(hostile(report));
  const tagsIn = (text: string) => frameOf(text).match(/<[^>]*>/g);
  expect(tagsIn(harmed)).toEqual(tagsIn(page));
  expect(harmed).toContain('&lt;script&gt;globalThis.harmed=1&lt;/script&gt;');
  expect(harmed).not.toContain('\u001b');
});

test('a placeholder in the name of the party is not filled in', () => {
  const named = { ...report, meta: { ...report.meta, target: '{{script}} $& {{title}}' } };
  expect(htmlOf(named)).toContain('<h1>{{script}} $&amp; {{title}}: not conformant</h1>');
});

test('without JavaScript the conclusion and its sentence stand in the page', () => {
  expect(page).toContain('<h1>Acme Identity 7.2 (staging): not conformant</h1>');
  expect(page).toContain(
    `<p class="sentence">${report.summary.sentence} With JavaScript this page shows more`,
  );
  expect(page).toContain('report.json and summary.md');
});

test('the page of a long run is bounded, and says what it shows', () => {
  const long = fakeRun({ crowd: 1_000 });
  expect(long.run.entries.length).toBeGreaterThan(18_000);
  const longReport = fakeReport(long);
  expect(htmlOf(longReport).length).toBeLessThan(300_000);
  const crowd = longReport.scenarios.find(({ scenario }) => scenario === 'crowd');
  // Each of the crowd causes eight calls; of a scenario the first 60 are shown.
  expect(crowd).toMatchObject({ shown: 60, exchanges: 8_000 });
});
