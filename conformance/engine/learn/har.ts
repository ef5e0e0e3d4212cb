/** Reads a HAR file (HTTP Archive 1.2), as the network tab of a browser and most proxies export it. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { tryJson } from '#protocol/wire/json.ts';
import { InputError } from '../input-error.ts';
import { readTextFile } from '../journal/input-file.ts';
import { whyNotJson } from '../party/requests/json.ts';
import { type Pairs, type RecordedExchange, type SeenExchange, seenExchanges } from './exchange.ts';

/** Limits the size of a HAR file. One sign-in with all its pictures has some megabytes. */
const MAX_HAR_BYTES = 64 * 1024 * 1024;
/** Limits the requests of a recording. One sign-in with all its pictures has some hundred. */
const MAX_ENTRIES = 5_000;

const pairs = z.array(z.object({ name: z.string(), value: z.string().catch('') })).catch([]);

const text = z.string().optional().catch(undefined);

/** An entry. A request that was cancelled has no response: then its status is 0. */
const entrySchema = z.object({
  startedDateTime: z.string().catch(''),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: pairs,
    cookies: pairs,
    postData: z
      .object({ mimeType: z.string().catch(''), text, encoding: text, params: pairs, _file: text })
      .optional()
      .catch(undefined),
    bodySize: z.number().catch(-1),
  }),
  response: z
    .object({
      status: z.number().catch(0),
      headers: pairs,
      cookies: pairs,
      content: z
        .object({
          mimeType: z.string().catch(''),
          text,
          encoding: text,
          size: z.number().catch(0),
          _file: text,
        })
        .catch({ mimeType: '', size: 0 }),
    })
    .catch({ status: 0, headers: [], cookies: [], content: { mimeType: '', size: 0 } }),
});

const harSchema = z.object({ log: z.object({ entries: z.array(entrySchema).max(MAX_ENTRIES) }) });

type HarEntry = z.output<typeof entrySchema>;

/** Reads the exchanges of a HAR file, in order of time. InputError says what the file is and what to do. */
export function readHarFile(file: string): SeenExchange[] {
  const recorded = entriesOf(file, textOf(file)).map((entry) => recordedIn(entry, dirname(file)));
  const exchanges = seenExchanges(recorded);
  if (exchanges.length === 0)
    throw new InputError(
      `Failed to use ${file}: it has no requests. Please record while you sign in, and export again.`,
    );
  return exchanges;
}

function textOf(file: string): string {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > MAX_HAR_BYTES)
    throw new InputError(
      `Failed to read ${file}: it has ${Math.ceil(size / 1024 ** 2)} MiB, and at most ${MAX_HAR_BYTES / 1024 ** 2} are read. Please record the sign-in alone, without pictures and videos.`,
    );
  return readTextFile(file, REMEDY);
}

function entriesOf(file: string, text: string): readonly HarEntry[] {
  const json = tryJson(text);
  if (!json) throw new InputError(`Failed to use ${file}: it ${whyNotJson(text)}. ${REMEDY}`);
  const { data, error } = harSchema.safeParse(json.value);
  if (data) return data.log.entries;
  const { path = [], code } = error.issues[0] ?? {};
  const place = path.length > 0 ? path.join('.') : 'the top';
  const what = code === 'too_big' ? `has more than ${MAX_ENTRIES} requests` : 'is not as in a HAR';
  throw new InputError(`Failed to use ${file}: ${place} ${what}. ${REMEDY}`);
}

const REMEDY =
  'Please name a HAR file: in the network tab of a browser, record a sign-in and choose "Save all as HAR with content".';

function recordedIn({ startedDateTime, request, response }: HarEntry, folder: string): RecordedExchange {
  const { content } = response;
  const startedAt = Date.parse(startedDateTime);
  return {
    startedAt: Number.isNaN(startedAt) ? 0 : startedAt,
    request: {
      method: request.method,
      url: request.url,
      headers: completed(request, 'cookie', request.postData?.mimeType ?? ''),
      body: sentBody(request, folder),
    },
    answer: {
      status: response.status,
      headers: completed(response, 'set-cookie', content.mimeType),
      body: receivedBody(content, folder),
    },
  };
}

/** Headers with the cookies and the type of the body that stand beside them in a HAR alone. */
function completed(
  { headers, cookies }: HarEntry['request' | 'response'],
  header: string,
  type: string,
): Pairs {
  const has = (wanted: string) => headers.some(({ name }) => name.toLowerCase() === wanted);
  const given = headers.map(({ name, value }): [string, string] => [name, value]);
  const fromCookies = cookies.map(({ name, value }): [string, string] => [header, `${name}=${value}`]);
  return [
    ...given,
    ...(has(header) ? [] : fromCookies),
    ...(has('content-type') || type === '' ? [] : [['content-type', type] as const]),
  ];
}

function sentBody({ postData, bodySize }: HarEntry['request'], folder: string): string | null {
  if (postData?.text) return withoutBase64(postData.text, postData);
  if (postData?._file) return attached(postData._file, folder);
  if (postData && postData.params.length > 0) {
    const decoded = postData.params.map(({ name, value }): [string, string] => [name, value]);
    return new URLSearchParams(decoded).toString();
  }
  return bodySize > 0 ? null : '';
}

function receivedBody(content: HarEntry['response']['content'], folder: string): string | null {
  const { text, size, _file } = content;
  if (text === undefined && _file) return attached(_file, folder);
  if (text === undefined) return size > 0 ? null : '';
  return withoutBase64(text, content);
}

/** A text without its base64. Some tools say base64 of a text that is none, or do not say it of JSON. */
function withoutBase64(
  text: string,
  { encoding, mimeType }: { encoding?: string | undefined; mimeType: string },
) {
  if (!BASE64.test(text) || tryJson(text)) return text;
  const read = Buffer.from(text, 'base64').toString('utf8');
  return encoding === 'base64' || (/\bjson\b/i.test(mimeType) && tryJson(read)) ? read : text;
}

const BASE64 = /^[A-Za-z\d+/\r\n]*={0,2}\s*$/;

/** A body that stands in a file beside the HAR, as Playwright writes it; null where it cannot be read. */
function attached(name: string, folder: string): string | null {
  const file = join(folder, basename(name));
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_HAR_BYTES ? readFileSync(file, 'utf8') : null;
}
