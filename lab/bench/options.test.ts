import { expect, test, vi } from 'vitest';
import { groups } from './groups/index.ts';
import { readOptions } from './options.ts';

test('without flags everything is measured', () => {
  expect(readOptions([], groups)).toEqual({ quick: false, only: [], clean: false, postgres: undefined });
});

test('groups are chosen by name', () => {
  const options = readOptions(['--quick', '--only', 'saves, match'], groups);
  expect(options).toMatchObject({ quick: true, only: ['saves', 'match'] });
});

test('a group that there is not is refused with those that there are', () => {
  expect(() => readOptions(['--only', 'save'], groups)).toThrow(/There is no group "save".*get-patient, saves/);
  expect(() => readOptions(['--slow'], groups)).toThrow("unknown option '--slow'");
});

test('help lists every group and every flag', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(readOptions(['--help'], groups)).toBeUndefined();
  const text = write.mock.calls.map(([part]) => String(part)).join('');
  for (const { about } of groups) expect(text).toContain(about);
  for (const flag of ['--quick', '--only', '--postgres', '--clean']) expect(text).toContain(flag);
});
