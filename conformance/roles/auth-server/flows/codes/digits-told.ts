/** Judges whether the refusals of two wrong codes tell how many of their digits are right. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { fault, unclear } from '../step-values.ts';

const NEAR = 'a code that is wrong in its last digit alone';
const FAR = 'a code that is right in its first digit alone';

export function digitsTold(steps: Steps): Judgement {
  const [near, far] = [steps.find(NEAR), steps.find(FAR)];
  const length = Number(steps.observed(NEAR)?.length);
  if (!near || !far) return undefined;
  // A code of two digits is near and far at once; NaN, where none was recorded, is not above 2.
  if (!(length > 2)) return unclear('the codes are too short to be right in part', near, far);
  const [ofNear, ofFar] = [countsIn(near), countsIn(far)];
  const shown = told(length).find(([high, low]) =>
    ofNear.some((count, place) => count === high && ofFar[place] === low),
  );
  return (
    shown &&
    fault(
      'the same answer, however much of a wrong code is right',
      `the answers have ${shown[0]} and ${shown[1]} at the same place: one code was wrong in its last digit alone, the other right in its first digit alone`,
      near,
      far,
    )
  );
}

/** What gives the digits away: how many are right, how many wrong, or a mark for each. */
const told = (length: number): readonly (readonly [near: string, far: string])[] => [
  [`${length - 1}`, '1'],
  ['1', `${length - 1}`],
  [marks(length, length - 1), marks(length, 1)],
];

const marks = (length: number, right: number) => '1'.repeat(right) + '0'.repeat(length - right);

/** The numbers in an answer, in order. A list of true and false, or of 1 and 0, becomes a row such as 110. */
function countsIn({ exchanges }: PlayedStep): string[] {
  const body =
    exchanges.find(({ link, response }) => link === 'client->auth' && response)?.response?.body ?? '';
  const rows = body
    .replace(/true/g, '1')
    .replace(/false/g, '0')
    .replace(/\[[01](?:\s*,\s*[01])*\]/g, (row) => row.replace(/\D/g, ''));
  return rows.match(/(?<![\w.-])\d{1,10}(?![\w.-])/g) ?? [];
}
