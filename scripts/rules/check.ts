/** Applies the project's own rules, which the linter cannot say, to one file or to the whole tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode, listFiles, parse } from '../source.ts';
import { clockRule } from './clock.ts';
import { type Finding, roomsRule, testsApartRule, testTitlesRule } from './rules.ts';

const rules = [clockRule, roomsRule, testTitlesRule, testsApartRule];

export function checkFile(file: string, text: string): Finding[] {
  const source = parse(file, text);
  return rules.flatMap((rule) => rule(source));
}

export function checkRules(directory: string): Finding[] {
  return listFiles(directory)
    .filter(isCode)
    .flatMap((file) => checkFile(file, readFileSync(join(directory, file), 'utf8')));
}
