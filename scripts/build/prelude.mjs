/** Runs first in every built program: lets Node keep what it has compiled, and stacks name the sources. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const built = import.meta.url;

// From Node 22.1 on. Beside the program and not in the common directory for temporary files, where others can write.
if (module.enableCompileCache !== undefined) module.enableCompileCache(fileURLToPath(new URL('../.compiled', built)));

let map;

Error.prepareStackTrace = (error, frames) => {
  const lines = frames.map((frame) => `\n    at ${withSource(String(frame))}`);
  return describe(error) + lines.join('');
};

/** The map is read when the first error is told, not at the start: Node's own way would cost as much as all of zod. */
function withSource(frame) {
  const at = frame.indexOf(built);
  const place = at === -1 ? null : /^:(\d+):(\d+)/.exec(frame.slice(at + built.length));
  if (place === null) return frame;
  map ??= readMap();
  const { originalSource, originalLine, originalColumn } = map.findEntry(place[1] - 1, place[2] - 1);
  if (originalSource === undefined) return frame;
  const source = new URL(originalSource, built);
  // What a plugin of the build has made is no file.
  if (source.protocol !== 'file:') return frame;
  const after = frame.slice(at + built.length + place[0].length);
  return `${frame.slice(0, at)}${fileURLToPath(source)}:${originalLine + 1}:${originalColumn + 1}${after}`;
}

function readMap() {
  try {
    return new module.SourceMap(JSON.parse(readFileSync(fileURLToPath(`${built}.map`), 'utf8')));
  } catch {
    // An error is being told: where its stack has the places in the built file, that is better than another error.
    return { findEntry: () => ({}) };
  }
}

function describe(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
