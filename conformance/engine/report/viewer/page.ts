/**
 * Fills the page of the viewer. The file opens offline: it loads nothing, and its security policy allows only
 * its own style and script.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { escaped } from '../junit-xml.ts';
import type { Report } from '../schema/schema.ts';
import type { Shown } from './e2e.ts';
import { viewerFiles } from './files.ts';

/** `sentence` is what a browser without JavaScript shows of it. */
type Page = { title: string; sentence: string; shown: Shown };

export function pageOf({ title, sentence, shown }: Page): string {
  const { page, style, script } = viewerFiles();
  const values: Readonly<Record<string, string>> = {
    policy: [
      "default-src 'none'",
      `style-src '${hashOf(style)}'`,
      `script-src '${hashOf(script)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    title: escaped(title),
    sentence: escaped(sentence),
    style,
    // The letters of base64 can end no element.
    shown: deflateSync(JSON.stringify(shown)).toString('base64'),
    script,
  };
  return page.replace(/\{\{(\w+)\}\}|\/\*(\w+)\*\//g, (_, name, code) => values[name ?? code] ?? '');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export function htmlOf(report: Report): string {
  const { meta, summary } = report;
  return pageOf({
    title: `${meta.target}: ${summary.conclusion}`,
    sentence: `${summary.sentence} With JavaScript this page shows more; so do report.json and summary.md.`,
    shown: { report },
  });
}
