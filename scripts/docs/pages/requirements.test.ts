import { expect, test } from 'vitest';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { kit, row, rows } from '../testing/small-kit.ts';
import { matrixOf, requirementsPage } from './requirements.ts';

const pageOf = (requirements: readonly Requirement[]) => requirementsPage(matrixOf(requirements, [], kit));

test('rows are counted by party, source and level, without the excluded ones', () => {
  const shared = { ...row('K-d'), party: ['client', 'ehr-server'], level: 'SHOULD' } as const;
  const page = pageOf([...rows, shared]);
  expect(page).toContain(
    '| Party | `interface` | `field` | `decision` | `practice` |\n|---|---|---|---|---|\n| auth-server | 0 | 0 | 0 | 0 |\n| ehr-server | 1 MUST | 0 | 1 MUST | 1 MUST, 1 SHOULD |\n| client | 0 | 0 | 0 | 1 SHOULD |',
  );
});

test('a row of the interface shows what its sentence says', () => {
  expect(pageOf(rows)).toContain(
    '| `4.1-a` | ehr-server | interface | MUST | What 4.1-a \\| demands. | §4.1: A is there. |',
  );
});

test('a row of practice shows its risk, a decision its place alone', () => {
  const page = pageOf(rows);
  expect(page).toContain(
    '| `K-c` | ehr-server | practice | MUST | What K-c \\| demands. | §4.1; broken, somebody reads C. |',
  );
  expect(page).toContain('| `D9-b` | ehr-server | decision | MUST | What D9-b \\| demands. | §4.1 |');
});
