/** Applies the project's own rules, which no linter knows, to one file or to the whole tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode, listFiles, parse } from '../source.ts';
import { bareTextRule } from './bare-text.ts';
import { clockRule } from './clock.ts';
import { engineRule } from './engine.ts';
import {
  commentRule,
  folderRule,
  isText,
  laterRule,
  lengthRule,
  machinePathRule,
  openingRule,
} from './files.ts';
import type { Finding } from './finding.ts';
import { roomsRule } from './rooms.ts';
import { sentencesRule } from './sentences.ts';
import { sqliteRule } from './sqlite.ts';
import { testTitlesRule } from './test-titles.ts';
import { testsApartRule } from './tests-apart.ts';
import { testsRunRule } from './tests-run.ts';
import { typeNamesRule } from './type-names.ts';

const codeRules = [
  bareTextRule,
  clockRule,
  engineRule,
  testsRunRule,
  testTitlesRule,
  commentRule,
  lengthRule,
  openingRule,
  roomsRule,
  sentencesRule,
  sqliteRule,
  testsApartRule,
];
const textRules = [machinePathRule, laterRule];

/** Applies every rule to the text of one file. */
export function checkFile(file: string, text: string): Finding[] {
  if (!isText(file)) return [];
  const findings = textRules.flatMap((rule) => rule(file, text));
  if (!isCode(file)) return findings;
  const source = parse(file, text);
  return [...findings, ...codeRules.flatMap((rule) => rule(source))];
}

/** Applies every rule to every file below `directory`. */
export function checkRules(directory: string): Finding[] {
  const texts = listFiles(directory).map(
    (file) => [file, readFileSync(join(directory, file), 'utf8')] as const,
  );
  const code = texts.filter(([file]) => isCode(file));
  return [
    ...texts.flatMap(([file, text]) => checkFile(file, text)),
    ...folderRule(texts.map(([file]) => file)),
    ...typeNamesRule(code),
  ];
}
