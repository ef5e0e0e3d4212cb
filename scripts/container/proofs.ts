/** What must be seen of each image while it runs. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { ADDRESS, type Enclosed } from './enclosed.ts';

const PAUSE_MS = 100;

/** Starts the image, on the same volume each time. */
export type StartImage = (args?: readonly string[], env?: Readonly<Record<string, string>>) => Enclosed;

/** Plays an image. Returns what was seen, in a sentence. @throws Error when it is something else */
type Proof = (start: StartImage) => Promise<string>;

const EXAMPLES = '/app/node_modules/embedded-ehr-harness/conformance/examples';
const INTERNAL = { EHR_INTERNAL_USER: 'auth-server', EHR_INTERNAL_PASSWORD: 'of the proof' };

/** By the name of the image's stage. */
export const proofs: Readonly<Record<string, Proof>> = {
  async 'ehr-server'(start) {
    for (const signal of ['TERM', 'INT']) {
      const server = start([], INTERNAL);
      await server.healthy();
      assertConfined(server);
      assert.equal(statusOf(server, 4100, '/readyz', 'ehr.example.org'), 200);
      assert.equal(statusOf(server, 4102, '/metrics', 'ehr.example.org'), 200);
      const again = signal === 'INT' ? ['--force'] : [];
      server.run(['ehr-fixtures', '--patients', '10', '--database', '/data/ehr.sqlite', ...again]);
      server.run(['ehr-server', 'audit']);
      assert.equal(await stopped(server, signal), 0);
    }
    return 'healthy, reached at both ports, filled, stopped by SIGTERM and again by SIGINT with 0.';
  },
  async demo(start) {
    for (const signal of ['TERM', 'INT']) {
      const demo = start();
      await demo.healthy();
      assertConfined(demo);
      for (const [port, path] of [
        [4100, '/readyz'],
        [4200, '/sms'],
        [4300, '/'],
        [4400, '/watching'],
      ] as const) {
        assert.equal(statusOf(demo, port, path, `localhost:${port}`), 200, `port ${port}`);
        assert.equal(statusOf(demo, port, path, 'evil.example.org'), 403, `port ${port}, foreign host`);
      }
      await says(demo, /Ready:/);
      const [, console = ''] = /http:\/\/127\.0\.0\.1:4400(\/\?token=\S+)/.exec(demo.text()) ?? [];
      assert.equal(statusOf(demo, 4400, console, '127.0.0.1:4400'), 200, 'the console');
      demo.run(['embedded-ehr-harness', 'clock', '--data', '/data', 'advance', '10m']);
      for (const port of [4101, 4102, 4201])
        assert.throws(() => statusOf(demo, port, '/', 'localhost'), /ECONNREFUSED/);
      assert.equal(await stopped(demo, signal), 0);
    }
    return 'healthy, four ports reached under the names of loopback alone, control ports closed, clock moved, stopped by SIGTERM and again by SIGINT with 0.';
  },
  async kit(start) {
    const plain = ['ehr-server', '--config', `${EXAMPLES}/plain-ehr.yaml`];
    const judged = start(plain);
    assert.equal(await judged.ended, 0, judged.text());
    assert.match(judged.text(), /conformant/);
    for (const signal of ['TERM', 'INT']) {
      const running = start(plain);
      await says(running, /\S/);
      assert.equal(await stopped(running, signal), 1, running.text());
      assert.match(running.text(), /broken off/i);
    }
    return 'judged the plain example with 0, broken off by SIGTERM and by SIGINT with 1, what was judged written.';
  },
};

/** Asserts that a program beside it has its user, and can write to nothing but the volume and /tmp. */
function assertConfined({ run }: Enclosed): void {
  const tried = ['/app', '/usr', '/home', '/etc', '/', '/data', '/tmp'];
  const script = `const { writeFileSync, rmSync } = require('fs');
    const written = ${JSON.stringify(tried)}.filter((at) => {
      try { writeFileSync(at + '/tried', ''); rmSync(at + '/tried'); return true; } catch { return false; }
    });
    console.log(JSON.stringify([process.getuid(), process.getgid(), written]));`;
  assert.deepEqual(JSON.parse(run(['node', '-e', script])), [1000, 1000, ['/data', '/tmp']]);
}

/** Asks at the address of the container, under a name. @throws Error when the connection is refused */
function statusOf({ reach }: Enclosed, port: number, path: string, host: string): number {
  const script = `require('http').get({ host: '${ADDRESS}', port: ${port}, path: '${path}',
    headers: { host: '${host}' } }, (reply) => { console.log(reply.statusCode); process.exit(); });`;
  return Number(reach([process.execPath, '-e', script]));
}

/** Resolves once it has written this. @throws Error with all that it wrote, when it ends before */
async function says({ text, ended }: Enclosed, pattern: RegExp): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!pattern.test(text())) {
    if (isOver) throw new Error(`It ended and never said ${pattern}:\n${text()}`);
    await setTimeout(PAUSE_MS);
  }
}

async function stopped({ signal, ended }: Enclosed, name: string): Promise<number | null> {
  signal(name);
  return ended;
}
