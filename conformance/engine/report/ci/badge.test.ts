import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../journal/testing/directory.ts';
import type { Report } from '../schema/schema.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { badgeOf, writeBadge } from './badge.ts';

const fake = fakeRun({ crowd: 1 });
const green = { ...fake, verdicts: fake.verdicts.filter(({ outcome }) => outcome === 'pass') };
const messageOf = (report: Report) => badgeOf(report).message;

test('a badge says the conclusion, and whether all was asked', () => {
  expect(badgeOf(fakeReport(fake))).toEqual({
    schemaVersion: 1,
    label: 'EHR storage interface',
    message: 'not conformant',
    color: 'red',
  });
  expect(messageOf(fakeReport(green))).toBe('conformant and safe');
  const demands = { gate: 'interface', strict: false, likeTheReference: false } as const;
  expect(messageOf(fakeReport(green, { demands, only: '5.1' }))).toBe('conformant, in part');
});

test('image and data are written beside the report, or where asked', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'report.json');
  writeFileSync(file, JSON.stringify(fakeReport(green)));
  const below = join(directory, 'deep', 'badges');
  for (const paths of [await writeBadge(file), await writeBadge(file, below)]) {
    const [image = '', data = ''] = paths.map((path) => readFileSync(path, 'utf8'));
    expect(image).toMatch(/^<svg .*aria-label="EHR storage interface: conformant and safe".*<\/svg>\n$/s);
    expect(JSON.parse(data)).toEqual(badgeOf(fakeReport(green)));
  }
});

test('a report that is missing or of another make is named with the remedy', async () => {
  const directory = temporaryDirectory();
  const foreign = join(directory, 'foreign.json');
  writeFileSync(foreign, '{"results":[]}');
  const remedy = 'Please name a report.json that this tool wrote.';
  await expect(writeBadge(join(directory, 'none.json'))).rejects.toThrow(`there is no such file. ${remedy}`);
  await expect(writeBadge(directory)).rejects.toThrow(`it is a directory. ${remedy}`);
  await expect(writeBadge(foreign)).rejects.toThrow(`${foreign}: it is no report of this version`);
});

test('a directory that cannot be written to is named', async () => {
  const file = join(temporaryDirectory(), 'report.json');
  writeFileSync(file, JSON.stringify(fakeReport(fake)));
  mkdirSync(join(file, '..', 'badges'));
  await expect(writeBadge(file, file)).rejects.toThrow(`given was "${file}"`);
});
