import { expect, test } from 'vitest';
import { differences, type Fact } from './fact.ts';
import { RANK } from './facts/rank.ts';

const fact = (key: string, rank: number): Fact => ({
  ...{ id: `${key} ${rank}`, key, rank, isPortable: true, text: key },
  write: () => undefined,
});

const [ends, header] = [fact('judged', RANK.outcome), fact('judged', RANK.header)];
const elsewhere = fact('other', RANK.outcome);
const where = { near: new Set(['judged']), played: new Set(['judged', 'other']) };

test('where the judged call ends otherwise, other differences are left out', () => {
  expect(differences([elsewhere, header, ends], [], where)).toEqual([ends]);
});

test('where it ends alike, other differences are told, the near ones first', () => {
  expect(differences([elsewhere, header, ends], [ends], where)).toEqual([header, elsewhere]);
});
