import { expect, test } from 'vitest';
import { RANK } from '../facts/rank.ts';
import { isOfFinding } from './of-finding.ts';

const finding = { expected: 'no value of the patient', actual: 'auth.report_link: surname in params.label' };
const isAbout = (text: string, key = 'fills in') =>
  isOfFinding(
    finding,
    { ...{ id: text, key, text, rank: RANK.count, isPortable: true }, write: () => undefined },
    new Set(['fills in']),
  );

test('a fact is told where the finding names its step, methods and member', () => {
  expect(isAbout('no call of "fills in" to the authorization server has the surname')).toBe(true);
  expect(isAbout('auth.report_link is not sent during "fills in"')).toBe(true);
  expect(isAbout('auth.report_link of "fills in" has in /params/label null')).toBe(true);
});

test('a fact of another step, method or member is not told', () => {
  expect(isAbout('auth.report_link is not sent during "ends"', 'ends')).toBe(false);
  expect(isAbout('patient.get_patient is not sent during "fills in"')).toBe(false);
  expect(isAbout('auth.report_link of "fills in" has in /params/user_sign null')).toBe(false);
});
