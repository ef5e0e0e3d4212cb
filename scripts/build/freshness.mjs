/** Whether a built file is made of the sources as they are now. The answer comes from their contents, so it cannot be fooled by a clock or a checkout. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { programDirectory } from './programs.mjs';

const STAMP = '// Made of ';
const STAMP_LENGTH = STAMP.length + 64 + 1;

/** What every built file depends on: the packages, how imports resolve, and how it is built. */
export function commonInputs(root) {
  const own = readdirSync(join(root, 'scripts', 'build')).filter((name) => name.endsWith('.mjs'));
  return readInputs(root, ['package.json', 'package-lock.json', ...own.map((name) => `scripts/build/${name}`)]);
}

/** Reads files by their paths from the root. */
export function readInputs(root, files) {
  return new Map(files.map((file) => [file, readFileSync(join(root, file))]));
}

/** The last line of a built file: in the file itself, so that it cannot come from another build than the rest. */
export function stampOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...inputs.keys()].sort())
    hash.update(`${file}\0${inputs.get(file).length}\0`).update(inputs.get(file));
  return `${STAMP}${hash.digest('hex')}\n`;
}

/** The list of inputs of a built file, with what it needs on the disk beside itself. */
export function recordOf(inputs, needs) {
  return `${JSON.stringify({ inputs: [...inputs.keys()].sort(), needs }, undefined, 2)}\n`;
}

/** Path of a built file from the root, and of the record of its inputs. */
export const builtFile = (name) => `${programDirectory}/${name}.js`;
export const recordFile = (name) => `${programDirectory}/${name}.inputs.json`;

/** Whether the built file is there, whole, and made of what its inputs are now. */
export function isFresh(root, name) {
  try {
    const { inputs, needs } = JSON.parse(readFileSync(join(root, recordFile(name)), 'utf8'));
    for (const file of needs) closeSync(openSync(join(root, file)));
    return readStamp(join(root, builtFile(name))) === stampOf(readInputs(root, inputs));
  } catch (error) {
    // Never built, an input gone, or a record cut short.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false;
    throw error;
  }
}

function readStamp(file) {
  const descriptor = openSync(file);
  try {
    const end = Buffer.alloc(STAMP_LENGTH);
    const read = readSync(descriptor, end, 0, STAMP_LENGTH, Math.max(0, fstatSync(descriptor).size - STAMP_LENGTH));
    return end.toString('utf8', 0, read);
  } finally {
    closeSync(descriptor);
  }
}
