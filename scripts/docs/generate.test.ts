import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SITE } from '#protocol/site.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { checkDocs, generate } from './generate.ts';
import type { RoleKit } from './kit.ts';
import { authServer, kit, row, rows } from './testing/small-kit.ts';

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
    write(`docs/${page}.md`, '# Steps\n\n## Whose law\n\n<a id="4"></a><a id="4-1"></a><a id="7"></a>\n');
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
  expect(checkDocs(directory, rows, kit)).toEqual(expect.arrayContaining(stale));
});

test('a requirement that no test cites and no check judges is named', () => {
  writeProject();
  expect(checkDocs(directory, [...rows, row('5-c')], kit)).toContain(
    '5-c is proven by no test and judged by no check: What 5-c | demands.',
  );
});

test('a test that cites an unknown requirement or an excluded one is named', () => {
  writeProject();
  write('service/b.test.ts', "proves(['4.1-z'], 'z', () => {});\nproves(['6-none'], 'none', () => {});\n");
  expect(checkDocs(directory, rows, kit)).toEqual([
    'service/b.test.ts: "z" cites 4.1-z, and there is no such requirement.',
    'service/b.test.ts: "none" cites 6-none, which is excluded as untestable.',
  ]);
});

test('an untested claim is named, and a tested one is no requirement', () => {
  writeProject();
  write(
    'SECURITY.md',
    '# Security\n\n[b](service/b.test.ts)\n\n| `T-file-1` | can | a |\n| `T-file-2` | cannot | b |\n',
  );
  write('service/b.test.ts', "proves(['4.1-a', 'T-file-2'], 'b', () => {});\n");
  expect(checkDocs(directory, rows, kit)).toEqual(['SECURITY.md:5 the claim T-file-1 is shown by no test.']);
});

test('a citation that cannot be read is named with its line', () => {
  writeProject();
  write('service/b.test.ts', "\nproves(ids, 'b', () => {});\n");
  expect(checkDocs(directory, rows, kit)).toEqual([
    'service/b.test.ts:2 the first argument of proves must be a literal list of one or more requirement ids.',
  ]);
});

test('the list of requirements counts the tests and checks of each, under its section', () => {
  writeProject();
  const page = generate(directory, rows, kit).pages.get('requirements/index.md') ?? '';
  expect(page).toContain('| 4 | 2 | 2 | 1 | 0 | 2 |');
  expect(page).toContain('## §4 Methods\n\n| Id | Who | Source | Level | Requirement | Tests | Checks |\n');
  expect(page).toContain(
    `| [\`4.1-a\`](${SITE}requirements/4.1-a) | ehr-server | interface | MUST | What 4.1-a \\| demands. | 2 | 1 |`,
  );
  expect(page).toContain('## Decisions on open points\n');
  expect(page).toContain(
    `| [\`6-none\`](${SITE}requirements/6-none) | What 6-none \\| demands. | There is nothing to test. |`,
  );
});

test('a requirement has its place, sentence, checks and tests on its page', () => {
  writeProject();
  const { pages } = generate(directory, rows, kit);
  const page = pages.get('requirements/4.1-a.md') ?? '';
  expect(page).toContain(`| ehr-server | MUST | interface | [§4.1](${SITE}interface#4-1) |`);
  expect(page).toContain('The interface says, in our words: A is there.');
  expect(page).toContain(`- [\`a-seen\`](${SITE}checks/a-seen): A is | seen\n`);
  expect(page).toContain('- a is [so] (`service/a.test.ts`)\n- a and b (`service/a.test.ts`)\n');
  expect(pages.get('requirements/K-c.md')).toContain('Where it is broken, somebody reads C.');
});

test('a check has its weight, requirements, scenarios, advice and defects', () => {
  const { pages } = generate(directory, rows, kit);
  const page = pages.get('checks/a-seen.md') ?? '';
  for (const text of [
    '# A is | seen\n',
    `The check \`a-seen\` judges [an authorization server](${SITE}checks/auth-server). It counts for: interface MUST. It judges a session driven by a person, too.`,
    `- What 4.1-a | demands. ([\`4.1-a\`](${SITE}requirements/4.1-a): MUST, interface, [§4.1](${SITE}interface#4-1))\n  - The interface says: A is there.`,
    '- `walk`: Somebody walks\n\nThe steps that it judges: `first step`.',
    '## What to do when it fails\n\nShow A.',
    'npx embedded-ehr-harness conformance auth-server --config my-file.yaml --only a-seen\n',
    '- `a-hidden`: A is hidden\n- `b-hidden`: B is hidden',
  ])
    expect(page).toContain(text);
  expect(pages.get('checks/auth-server.md')).toContain('| `walk` | Somebody walks | 1 |');
  expect(pages.get('checks/index.md')).toContain('| 1 | 1 | 0 | 0 | 0 | 0 | 1 | 1 |');
});

test('checks of two roles with one id share a page', () => {
  const other: RoleKit = { ...authServer, role: 'client' };
  const page = generate(directory, rows, { roles: [authServer, other] }).pages.get('checks/a-seen.md') ?? '';
  expect(page).toContain('# a-seen\n');
  expect(page).toContain('## Of authorization servers: A is | seen\n');
  expect(page).toContain('## Of clients: A is | seen\n');
});

test('a check of unknown requirements, and names leading nowhere, are told', () => {
  writeProject();
  const wrong: RoleKit = {
    ...authServer,
    checks: authServer.checks.map((check) => ({
      ...check,
      requirements: ['4.1-a', 'K-c', '4.1-z', '6-none'],
      scenarios: ['run'],
    })),
    defects: [...authServer.defects, { id: 'a-late', title: 'A is late', caughtBy: 'b-seen' }],
  };
  expect(generate(directory, rows, { roles: [wrong] }).problems).toEqual([
    'The check a-seen judges 4.1-z, and there is no such requirement.',
    'The check a-seen judges 6-none, which is excluded as untestable.',
    'The check a-seen names the scenario run, and there is none.',
    'The defect a-late names the check b-seen, and there is none.',
  ]);
});
