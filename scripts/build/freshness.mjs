/** Tells whether a built file was made from the present sources, by their contents. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { programDirectory } from './programs.mjs';

const STAMP = '// Made of ';
const STAMP_CHARS = STAMP.length + 64 + 1;

/** Inputs of every built file: the packages, how imports resolve, and how it is built. */
export function commonInputs(root) {
  const own = readdirSync(join(root, 'scripts', 'build')).filter((name) => name.endsWith('.mjs'));
  return readInputs(root, [
    'package.json',
    'package-lock.json',
    ...own.map((name) => `scripts/build/${name}`),
  ]);
}

function readInputs(root, files) {
  return new Map(files.map((file) => [file, readFileSync(join(root, file))]));
}

/** Returns the last line of a built file: within the file, it always belongs to the same build. */
export function stampOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...inputs.keys()].sort())
    hash.update(`${file}\0${inputs.get(file).length}\0`).update(inputs.get(file));
  return `${STAMP}${hash.digest('hex')}\n`;
}

/** Returns the record of a built file: its inputs, and the other files that it needs on the disk. */
export function recordOf(inputs, needs) {
  return `${JSON.stringify({ inputs: [...inputs.keys()].sort(), needs }, undefined, 2)}\n`;
}

export const builtFile = (name) => `${programDirectory}/${name}.js`;
export const recordFile = (name) => `${programDirectory}/${name}.inputs.json`;

/** Tells whether the built file exists, is complete, and was made from the present inputs. */
export function isFresh(root, name) {
  try {
    const { inputs, needs } = JSON.parse(readFileSync(join(root, recordFile(name)), 'utf8'));
    for (const file of needs) closeSync(openSync(join(root, file)));
    return readStamp(join(root, builtFile(name))) === stampOf(readInputs(root, inputs));
  } catch (error) {
    // The file was never built, an input is gone, or the record is incomplete.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false;
    throw error;
  }
}

function readStamp(file) {
  const descriptor = openSync(file);
  try {
    const end = Buffer.alloc(STAMP_CHARS);
    const read = readSync(
      descriptor,
      end,
      0,
      STAMP_CHARS,
      Math.max(0, fstatSync(descriptor).size - STAMP_CHARS),
    );
    return end.toString('utf8', 0, read);
  } finally {
    closeSync(descriptor);
  }
}
