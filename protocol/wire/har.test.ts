import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { curlOf, harEntryOf, harOf } from './har.ts';

const request = {
  method: 'POST',
  path: '/1.0-alpha/?a=1',
  headers: [
    ['Host', '127.0.0.1:4100'],
    ['Content-Length', '20'],
    ['Content-Type', 'application/json'],
  ],
  body: `{"name":"O'Neill","ё":1}`,
} as const;

test('a request is one command for bash, without curl’s own headers', () => {
  expect(curlOf(request)).toBe(
    [
      `curl -X POST 'http://127.0.0.1:4100/1.0-alpha/?a=1'`,
      `  -H 'Content-Type: application/json'`,
      `  --data-raw '{"name":"O'\\''Neill","ё":1}'`,
    ].join(' \\\n'),
  );
  expect(curlOf({ ...request, method: 'GET', headers: [], body: '' })).toBe(
    `curl -X GET 'http://localhost/1.0-alpha/?a=1'`,
  );
});

test('an exchange is a HAR entry, of status 0 without a reply', () => {
  const reply = { status: 200, headers: [['Date', 'now']], body: '{}' } as const;
  const entry = harEntryOf({ beganAt: 1_000, endedAt: 1_250, request, reply });
  expect(harOf([entry], '1.2.3')).toMatchObject({
    log: {
      version: '1.2',
      creator: { version: '1.2.3' },
      entries: [
        {
          startedDateTime: '1970-01-01T00:00:01.000Z',
          time: 250,
          request: {
            url: 'http://127.0.0.1:4100/1.0-alpha/?a=1',
            headers: [{ name: 'Host', value: '127.0.0.1:4100' }, {}, {}],
            postData: { text: request.body },
            bodySize: 25,
          },
          response: {
            status: 200,
            content: { size: 2, text: '{}' },
            headers: [{ name: 'Date', value: 'now' }],
          },
        },
      ],
    },
  });
  const broken = harEntryOf({ beganAt: 5, endedAt: 1, request: { ...request, body: '' } });
  expect(broken).toMatchObject({
    time: 0,
    request: { bodySize: 0 },
    response: { status: 0, content: { size: 0 } },
  });
  expect(JSON.stringify(broken)).not.toContain('postData');
});

/** What bash, or a terminal, could carry out if it were not quoted. */
const HOSTILE = [
  ...['POST $(touch x) ;touch y #', '`touch x`', "';touch x;'", "\\';touch x;'", '";touch x;"'],
  ...['\n touch x \n', "'\u0015touch x\n", '\u001b[201~\ntouch x\n', "it's !touch \t"],
  ...['&& touch x | touch y > z <z', '--output=x', '-o x', '*~{a,b}[1-9]$HOME', '\u0085\u009b201~'],
];

/** The arguments that a real bash gives to curl, in a folder that must stay empty. */
function argumentsIn(command: string): string[] {
  const folder = temporaryFolder();
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  const printed = execFileSync('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(readdirSync(folder), command).toEqual([]);
  return printed.split('\0').slice(0, -1);
}

test('bash runs nothing that stands in a request, wherever it stands', () => {
  for (const text of HOSTILE) {
    const hostile = {
      method: text,
      path: `/${text}`,
      headers: [
        ['Host', text],
        [`X-${text}`, text],
      ] as const,
      body: text,
    };
    const command = curlOf(hostile);
    // A terminal obeys control characters, whatever the quotes around them.
    expect(command.replaceAll(' \\\n  ', '')).not.toMatch(/\p{Cc}/u);
    const globbing = /[[\]{}]/.test(text) ? ['--globoff'] : [];
    expect(argumentsIn(command)).toEqual([
      '-X',
      text,
      ...globbing,
      `http://${text}/${text}`,
      '-H',
      `X-${text}: ${text}`,
      '--data-raw',
      text,
    ]);
  }
});

test('curl takes no part of a request for a file or host', () => {
  const command = curlOf({
    method: 'GET',
    path: '@evil.example/',
    headers: [['@/etc/passwd', '']],
    body: '@/etc/passwd\0',
  });
  expect(command).toBe(
    "curl -X GET 'http://localhost/@evil.example/' \\\n  --data-raw $'@/etc/passwd\uFFFD'",
  );
});
