import { expect, test } from 'vitest';
import { claimProblems } from './claims.ts';

const page = `# Security

## A thief

Tests: [a.test.ts](e2e/threats/a.test.ts)

The thief:

- \`T-file-1\` cannot read
- \`T-file-2\` can look

## Others

- \`T-auth-1\` can lie
`;
const citation = (id: string, file = 'e2e/threats/a.test.ts') => ({ id, file, title: `about ${id}` });

test('a page whose claims all have tests, which it names, has no problems', () => {
  const text = page.replace('## Others', '## Others\n\n[b](e2e/b.test.ts)');
  const tests = [citation('T-file-1'), citation('T-file-2'), citation('T-auth-1', 'e2e/b.test.ts')];
  expect(claimProblems(text, tests)).toEqual([]);
});

test('an untested claim is named with its line, and a doubled one', () => {
  const text = `${page}- \`T-file-1\` can read\n`;
  expect(claimProblems(text, [citation('T-file-1')])).toEqual([
    'SECURITY.md:9 the claim T-file-1 stands here twice.',
    'SECURITY.md:10 the claim T-file-2 is shown by no test.',
    'SECURITY.md:14 the claim T-auth-1 is shown by no test.',
    'SECURITY.md:15 the claim T-file-1 has a test in e2e/threats/a.test.ts, which its section does not link.',
  ]);
});

test('a test of a claim that the page does not make is named', () => {
  const problems = claimProblems(
    page,
    ['T-file-1', 'T-file-2', 'T-file-3'].map((id) => citation(id)),
  );
  expect(problems).toEqual([
    'SECURITY.md:14 the claim T-auth-1 is shown by no test.',
    'e2e/threats/a.test.ts: "about T-file-3" cites T-file-3, and SECURITY.md makes no such claim.',
  ]);
});

test('a test in a file that the section does not link is named', () => {
  const tests = [citation('T-file-1'), citation('T-file-2', 'e2e/b.test.ts'), citation('T-auth-1')];
  expect(claimProblems(page, tests)).toEqual([
    'SECURITY.md:10 the claim T-file-2 has a test in e2e/b.test.ts, which its section does not link.',
    'SECURITY.md:14 the claim T-auth-1 has a test in e2e/threats/a.test.ts, which its section does not link.',
  ]);
});
