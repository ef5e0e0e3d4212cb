import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { adapterSchema } from '#conformance/roles/auth-server/adapter/file/schema/schema.ts';
import { clientFileSchema } from '#conformance/roles/client/settings.ts';
import { ehrFileSchema } from '#conformance/roles/ehr-server/settings.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { checkDocs, generate } from './generate.ts';
import type { Kit, RoleKit } from './kit.ts';
import { schemaRows } from './pages/schema-rows.ts';
import { withKeys } from './pages/settings.ts';

const row = (id: string): Requirement => {
  const about = { clause: '§4.1', party: 'ehr-server', level: 'MUST' } as const;
  return { id, ...about, ...originOf(id), text: `What ${id} | demands.` };
};
const originOf = (id: string) => {
  if (id.startsWith('K')) return { source: 'practice', risk: 'somebody reads C' } as const;
  if (id.startsWith('D')) return { source: 'decision' } as const;
  return { source: 'interface', basis: 'A is there.' } as const;
};
const rows = [row('4.1-a'), row('D9-b'), row('K-c')];

const authServer: RoleKit = {
  role: 'auth-server',
  checks: [
    {
      id: 'a-seen',
      title: 'A is | seen',
      requirements: ['4.1-a', 'K-c'],
      scenarios: ['walk'],
      advice: 'Show A.',
    },
  ],
  scenarios: [{ id: 'walk', title: 'Somebody walks' }],
  defects: [
    { id: 'a-hidden', title: 'A is hidden', caughtBy: 'a-seen' },
    { id: 'b-hidden', title: 'B is hidden', caughtBy: 'a-seen' },
  ],
};
const kit: Kit = { roles: [authServer] };

let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(directory, file)), { recursive: true });
  writeFileSync(join(directory, file), text);
}

const README = '# Read me\n';

/** Writes a project in which every requirement is proven and every document is up to date. */
function writeProject(): void {
  write(
    'service/a.test.ts',
    "proves(['4.1-a'], 'a is [so]', () => {});\nproves(['4.1-a', 'D9-b'], 'a and b', () => {});\n",
  );
  write('README.md', README);
  for (const page of ['judge', 'interface', 'files'])
    write(
      `docs/${page}.md`,
      '# Steps\n\n## Whose law\n\n<a id="4"></a><a id="4-1"></a><a id="7"></a>\n<!-- every key -->\n',
    );
  for (const [file, text] of generate(directory, rows, kit).files) write(file, text);
}

test('a project with fresh documents and a test for every requirement has no problems', () => {
  writeProject();
  expect(checkDocs(directory, rows, kit)).toEqual([]);
});

test('a document is stale when changed anywhere, and when it is gone', () => {
  writeProject();
  const { files } = generate(directory, rows, kit);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['docs/openrpc.json']));
  const stale = [...files.keys()].map((file) => `${file} is stale. Please run npm run docs.`);
  for (const [file, text] of files) write(file, `${text} `);
  expect(checkDocs(directory, rows, kit)).toEqual(stale);
  for (const file of files.keys()) rmSync(join(directory, file));
  // The page on files is written by hand but for its lists.
  const ofPage = (sentence: string) => sentence.startsWith('docs/files.md');
  expect(checkDocs(directory, rows, kit)).toEqual(
    expect.arrayContaining(stale.filter((sentence) => !ofPage(sentence))),
  );
});

test('requirements, citations and claims that are wrong are named', () => {
  writeProject();
  write('service/b.test.ts', "proves(['4.1-z', 'T-file-2'], 'z', () => {});\nproves(ids, 'b', () => {});\n");
  write('SECURITY.md', '# Security\n\n[b](service/b.test.ts)\n\n- `T-file-1` can a\n- `T-file-2` cannot b\n');
  expect(checkDocs(directory, [...rows, row('5-c')], kit)).toEqual([
    'service/b.test.ts:2 the first argument of proves must be a literal list of one or more ids.',
    'service/b.test.ts: "z" cites 4.1-z, and there is no such requirement.',
    '5-c is proven by no test and judged by no check: What 5-c | demands.',
    'SECURITY.md:5 the claim T-file-1 is shown by no test.',
  ]);
});

test('a requirement has its place, sentence, evidence and checks, under its section', () => {
  writeProject();
  const page = generate(directory, rows, kit).pages.get('requirements/index.md') ?? '';
  expect(page).toContain('| 3 | 2 | 2 | 0 | 2 |');
  for (const text of [
    '## §4 Methods\n\n| Id | Who | Source | Level | Place | Requirement | Tests | Checks |\n',
    '| <a id="4.1-a"></a>`4.1-a` | ehr-server | interface | MUST | [§4.1](/interface#4-1) | What 4.1-a \\| demands.<br>The interface says, in our words: A is there. | 2 | [`a-seen`](/checks/#a-seen) |',
    '## Decisions on open points\n',
    'Where it is broken, somebody reads C.',
    '| Party | `interface` | `field` | `decision` | `practice` |\n|---|---|---|---|---|\n| auth-server | 0 | 0 | 0 | 0 |\n| ehr-server | 1 MUST | 0 | 1 MUST | 1 MUST |\n',
  ])
    expect(page).toContain(text);
});

test('a check has its place, weight, requirements and advice, in each role', () => {
  const other: RoleKit = { ...authServer, role: 'client' };
  const page = generate(directory, rows, { roles: [authServer, other] }).pages.get('checks/index.md') ?? '';
  const own =
    '`a-seen` | A is \\| seen | interface MUST | [`4.1-a`](/requirements/#4.1-a), [`K-c`](/requirements/#K-c) | Show A. |';
  for (const text of [
    `## Checks of authorization servers\n`,
    `| <a id="a-seen"></a>${own}`,
    `## Checks of clients\n`,
    `| ${own}`,
    '| `walk` | Somebody walks | 1 |',
    '| authorization servers | 1 | 1 | 0 | 0 | 0 |',
  ])
    expect(page).toContain(text);
});

test('a check of unknown requirements, and names leading nowhere, are told', () => {
  writeProject();
  const wrong: RoleKit = {
    ...authServer,
    checks: authServer.checks.map((check) => ({
      ...check,
      requirements: ['4.1-a', 'K-c', '4.1-z'],
      scenarios: ['run'],
    })),
    defects: [...authServer.defects, { id: 'a-late', title: 'A is late', caughtBy: 'b-seen' }],
  };
  expect(generate(directory, rows, { roles: [wrong] }).problems).toEqual([
    'The check a-seen judges 4.1-z, and there is no such requirement.',
    'The check a-seen names the scenario run, and there is none.',
    'The defect a-late names the check b-seen, and there is none.',
  ]);
});

const page = readFileSync(join(root, 'docs/files.md'), 'utf8');

test('each key on the page on files has an address of its own', () => {
  const anchors = [...page.matchAll(/^- <a id="([^"]+)"><\/a>(?:\*\*)?\[`[^`]+`\]\(#\1\)/gm)].map(
    ([, id]) => id,
  );
  expect(anchors).toEqual(
    expect.arrayContaining([
      'server-server-url',
      'auth-server-steps-requestotp',
      'ehr-server-control-advanceclock',
      'client-browser-actions-signin-fill',
    ]),
  );
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(() => withKeys('# Another page\n')).toThrow('no line <!-- every key -->');
});

test.each([
  ['an authorization server', adapterSchema],
  ['an EHR server', ehrFileSchema],
  ['a client', clientFileSchema],
])('the page on files explains every key of the file of %s', (_party, schema) => {
  const wordsOf = (text: string) => text.split(/[^\w$]+/).filter(Boolean);
  const keys = schemaRows(schema(() => undefined)).flatMap(({ name }) => wordsOf(name));
  const words = new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => wordsOf(code)));
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !words.has(key))).toEqual([]);
});
