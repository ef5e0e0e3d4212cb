import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

const PARTY = fileURLToPath(new URL('testing-party.ts', import.meta.url));

/** Packages of the older kind call `require`. */
const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Starts the party from one file: Node would need seconds to read it from source. */
function startParty(start: string) {
  const outfile = join(temporaryFolder(), 'party.mjs');
  buildSync({ entryPoints: [PARTY], bundle: true, platform: 'node', format: 'esm', outfile, banner: { js } });
  return useProgram([outfile, start]);
}

test('a start that fails ends with code 1 and one sentence', async () => {
  const err = 'Failed to open the database: it is locked.\n';
  expect(await startParty('fails').ended).toMatchObject({ code: 1, signal: null, out: '', err });
});

test('a process ended as it becomes ready stops cleanly, with code 0', async () => {
  const party = startParty('serves');
  await party.says(/ready/);
  expect(await party.stop()).toMatchObject({
    code: 0,
    signal: null,
    out: 'ready\nstopping\nstopped\n',
    err: '',
  });
});
