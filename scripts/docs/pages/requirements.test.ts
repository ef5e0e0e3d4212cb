import { expect, test } from 'vitest';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { kit, row, rows } from '../testing/small-kit.ts';
import { matrixOf, requirementsPage } from './requirements.ts';

const pageOf = (requirements: readonly Requirement[]) => requirementsPage(matrixOf(requirements, [], kit));

test('rows are counted by party, source and level', () => {
  const shared = { ...row('K-d'), party: ['client', 'ehr-server'], level: 'SHOULD' } as const;
  const page = pageOf([...rows, shared]);
  expect(page).toContain(
    '| Party | `interface` | `field` | `decision` | `practice` |\n|---|---|---|---|---|\n| auth-server | 0 | 0 | 0 | 0 |\n| ehr-server | 1 MUST | 0 | 1 MUST | 1 MUST, 1 SHOULD |\n| client | 0 | 0 | 0 | 1 SHOULD |',
  );
});
