import { expect, test } from 'vitest';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { SITE } from '#protocol/site.ts';
import { kit, row, rows } from '../testing/small-kit.ts';
import { requirementPages } from './requirement-page.ts';
import { matrixOf, requirementsPage } from './requirements.ts';

const pageOf = (requirements: readonly Requirement[]) => requirementsPage(matrixOf(requirements, [], kit));

test('rows are counted by party, source and level, without the excluded ones', () => {
  const shared = { ...row('K-d'), party: ['client', 'ehr-server'], level: 'SHOULD' } as const;
  const page = pageOf([...rows, shared]);
  expect(page).toContain(
    '| Party | `interface` | `field` | `decision` | `practice` |\n|---|---|---|---|---|\n| auth-server | 0 | 0 | 0 | 0 |\n| ehr-server | 1 MUST | 0 | 1 MUST | 1 MUST, 1 SHOULD |\n| client | 0 | 0 | 0 | 1 SHOULD |',
  );
});

test('a decision has its place alone, an excluded row its reason', () => {
  const pages = requirementPages(matrixOf(rows, [], kit));
  const decision = pages.get('requirements/D9-b.md') ?? '';
  expect(decision).toContain(`| ehr-server | MUST | decision | [§4.1](${SITE}interface#4-1) |\n\n## Checks`);
  expect(decision).toContain('## Tests that prove it\n\nNone.');
  expect(pages.get('requirements/6-none.md')).toContain(
    'No test can or need prove it: There is nothing to test.',
  );
});
