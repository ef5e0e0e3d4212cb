import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { inDirectory } from '../../testing/cli.ts';
import { openTestRun, writePlainFile } from '../../testing/plain-server.ts';
import { loadAdapter } from './adapter/file/load.ts';
import { startFakeServer } from './adapter/testing/fake-server.ts';
import type { OpenRun } from './run.ts';

const endings: Record<string, (run: OpenRun, abort: AbortController) => Promise<void>> = {
  'is aborted': async (_run, abort) => abort.abort(),
  'is closed': (run) => run.close(),
};

for (const [what, end] of Object.entries(endings)) {
  test(`a call that breaks because the run ${what} is not in its journal`, async () => {
    const server = await startFakeServer();
    // The server never answers, so the call is in progress until the run ends.
    const arrived = new Promise<void>((resolve) => server.answer(() => resolve()));
    await inDirectory(async (directory) => {
      const config = writePlainFile(directory, (file) => {
        file.server = { url: server.url };
        file.ports = {};
        file.otp = { fixed: { code: '123456' }, resendAfterSeconds: 0 };
      });
      const abort = new AbortController();
      const run = await openTestRun(await loadAdapter(config, {}), { signal: abort.signal });
      try {
        const call = run.adapter.perform('requestOtp', { phone: '+79000000001' }, abort.signal);
        await arrived;
        await end(run, abort);
        await run.close();
        await call;
        expect(run.bed.recorder.entries().filter(({ kind }) => kind === 'exchange')).toEqual([]);
        // A signal that outlives the run would keep its journal.
        expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
      } finally {
        await run.close();
      }
    });
  });
}
