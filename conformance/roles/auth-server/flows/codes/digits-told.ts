/**
 * Judges whether the server's refusal of a wrong code tells how many of its digits are right. The flow tries
 * two wrong codes: one has only its last digit wrong (near), the other only its first digit right (far).
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';

const NEAR = 'a code that is wrong in its last digit alone';
const FAR = 'a code that is right in its first digit alone';

/** Finds a number or a row of marks by which the two refusals tell the right digits of the two codes. */
export function digitsTold(steps: Steps): Judgement {
  const [near, far] = [steps.find(NEAR), steps.find(FAR)];
  const length = Number(steps.observed(NEAR)?.length);
  if (!near || !far) return undefined;
  // A code of two digits that has one digit right is near and far at once.
  // The length is no number when none was recorded; this comparison is then false, too.
  if (!(length > 2)) return { unclear: 'the codes are too short to be right in part', shownBy: [near, far] };
  const [ofNear, ofFar] = [countsIn(near), countsIn(far)];
  const shown = told(length).find(([high, low]) =>
    ofNear.some((count, place) => count === high && ofFar[place] === low),
  );
  return (
    shown && {
      expected: 'the same answer, however much of a wrong code is right',
      actual: `the answers have ${shown[0]} and ${shown[1]} at the same place: one code was wrong in its last digit alone, the other right in its first digit alone`,
      shownBy: [near, far],
    }
  );
}

/**
 * The pairs that give the digits away, for codes of this length: the number of right digits, the number of
 * wrong digits, or a mark 1 or 0 for each digit.
 */
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
