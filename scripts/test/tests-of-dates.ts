/**
 * Tests of dates. They run in a time zone west of UTC, as all tests do, and once more in one east of it: a
 * date of birth that goes through local time moves by a day in one of them.
 */
export const WEST = 'America/Los_Angeles';
export const EAST = 'Europe/Moscow';

export const TESTS_OF_DATES: readonly string[] = [
  'protocol/wire/matching.test.ts',
  'protocol/wire/fields.test.ts',
  'ehr-server/matching.test.ts',
  'ehr-server/mis/**/*.test.ts',
  'mis-fixtures/personas.test.ts',
  'mis-fixtures/population.test.ts',
  'mock-client/flow/form.test.ts',
  'mock-client/flow/linking.test.ts',
  'mock-client/ui/format.test.ts',
];
