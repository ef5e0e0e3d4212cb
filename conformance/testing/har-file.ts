/** For tests: writes exchanges as the HAR that a browser would save. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Pairs, SeenBody, SeenExchange } from '../engine/learn/exchange.ts';

/** Returns the path of the file, which is removed after the test. */
export function harFileOf(exchanges: readonly SeenExchange[]): string {
  const file = join(temporaryFolder(), 'recording.har');
  const entries = exchanges.map(({ startedAt, request: { method, url, headers, body }, answer }) => ({
    startedDateTime: new Date(startedAt).toISOString(),
    request: { method, url: url.href, headers: listed(headers), cookies: [], ...postDataOf(body) },
    response: {
      status: answer.status,
      headers: listed(answer.headers),
      cookies: [],
      content: { size: 1, mimeType: '', text: textOf(answer.body) },
    },
  }));
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  return file;
}

const listed = (headers: Pairs) => headers.map(([name, value]) => ({ name, value }));
const textOf = (body: SeenBody): string => ('text' in body ? body.text : '');
const postDataOf = (body: SeenBody) =>
  body.kind !== 'none' && { postData: { mimeType: '', text: textOf(body) } };
