import { expect, test } from 'vitest';
import type { Cell } from './play.ts';
import { terminalTable } from './terminal-table.ts';

const flow = (outcome: 'passed' | 'failed' | 'left out') => ({
  ...{ name: 'first-link', outcome, because: undefined, difference: undefined },
});
const cell = (client: string, auth: string, ehr: string): Cell => ({
  names: { client, 'auth-server': auth, 'ehr-server': ehr },
  flows: [...Array.from({ length: 27 }, () => flow('passed')), flow('failed'), flow('left out')],
  notStarted: undefined,
  seconds: 1,
});

test('names that fit stand in one line, with a line below the head', () => {
  expect(terminalTable([cell('a client', 'A', 'E1'), cell('a client', 'B', 'E2')])).toBe(
    [
      'Client    Authorization server  E1                                 E2',
      '────────  ────────────────────  ─────────────────────────────────  ─────────────────────────────────',
      'a client  A                     ✗ 27 passed, 1 failed, 1 left out  not played',
      'a client  B                     not played                         ✗ 27 passed, 1 failed, 1 left out',
    ].join('\n'),
  );
});

test('a matrix of many long names fits 100 columns, whole', () => {
  const names = (what: string, most: number) =>
    Array.from({ length: most }, (_, index) => `The ${what} number${index} of a maker with a long name`);
  const cells = names('client', 2).flatMap((client) =>
    names('authorization server', 2).flatMap((auth) =>
      names('EHR server', 7).map((ehr) => cell(client, auth, ehr)),
    ),
  );
  const text = terminalTable(cells);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  for (let index = 0; index < 7; index++) expect(text.split(`number${index}`).length).toBeGreaterThan(1);
  expect(text.match(/✗/g)).toHaveLength(28);
});
