/**
 * Rules for whole files: no work left for later, a limit on length, an opening sentence, no paths of one
 * machine, and few files in a folder.
 */
import { dirname } from 'node:path/posix';
import { isCode, isTest, type Source } from '../source.ts';
import type { Finding } from './finding.ts';

const MAX_LINES = 250;
/** Tables of data have one reason to change, however long they are. */
const TABLES = /^protocol\/requirements\//;

const MAX_FILES_OF_A_FOLDER = 20;

const LATER = /\b(?:TODO|FIXME)\b/;
const SILENCED =
  /@ts-(?:ignore|nocheck|expect-error)|\b(?:eslint|oxlint)-disable|\b(?:v8|c8|istanbul) ignore/;
/** A home directory, or a directory in which somebody checked out the project. */
const MACHINE_PATH = /(?<![\w.:/-])\/(?:home|Users|root|work)\/[\w.-]+|\b[A-Z]:\\Users\\/;
const TEXT = /\.(?:md|json|ya?ml|css|html|sh|txt|toml|svg)$|(?:^|\/)(?:run|LICENSE|\.[a-z]+rc|\.gitignore)$/;

/** Tells whether the rules for text files apply to a file. */
export function isText(file: string): boolean {
  return (isCode(file) || TEXT.test(file)) && file !== 'package-lock.json';
}

/** Reports paths of one machine, in any text file. */
export function machinePathRule(file: string, text: string): Finding[] {
  return matchLines(file, text, MACHINE_PATH, 'A path of one machine: write it relative to the project.');
}

/** Reports work left for later in a text file that is not code. In code only comments count. */
export function laterRule(file: string, text: string): Finding[] {
  return isCode(file) ? [] : matchLines(file, text, LATER, 'Left for later: do it now, or open an issue.');
}

/** Reports comments that leave work for later or silence a checker. */
export function commentRule(source: Source): Finding[] {
  const { file } = source;
  return source.comments.flatMap(({ value, start }) => {
    const line = source.lineOf(start);
    return [
      ...(LATER.test(value) ? [{ file, line, message: 'Left for later: do it now, or open an issue.' }] : []),
      ...(SILENCED.test(value)
        ? [{ file, line, message: 'A checker is silenced: mend what it found.' }]
        : []),
    ];
  });
}

/** Reports code files that are too long to have one purpose. */
export function lengthRule({ file, text }: Source): Finding[] {
  const lines = text.split('\n').length - 1;
  if (lines <= MAX_LINES || TABLES.test(file)) return [];
  return [
    {
      file,
      line: MAX_LINES + 1,
      message: `${lines} lines where at most ${MAX_LINES} may be: split it at its second reason to change.`,
    },
  ];
}

/** Reports folders with more files than a reader takes in. Documents are lists by nature. */
export function folderRule(files: readonly string[]): Finding[] {
  const counts = new Map<string, number>();
  for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].flatMap(([folder, length]) => {
    if (length <= MAX_FILES_OF_A_FOLDER || /^docs(?:\/|$)/.test(folder)) return [];
    const message = `${length} files where at most ${MAX_FILES_OF_A_FOLDER} may be: make a folder of those that belong together.`;
    return [{ file: folder, line: 1, message }];
  });
}

/** Reports modules that do not open with a sentence that says why they exist. */
export function openingRule({ file, text }: Source): Finding[] {
  if (isTest(file) || /\.d\.m?ts$/.test(file) || /^(?:#!.*\n)?\/\*\*/.test(text)) return [];
  return [{ file, line: 1, message: 'A module opens with a /** sentence */ that says why it exists.' }];
}

function matchLines(file: string, text: string, pattern: RegExp, message: string): Finding[] {
  return text
    .split('\n')
    .flatMap((content, index) => (pattern.test(content) ? [{ file, line: index + 1, message }] : []));
}
