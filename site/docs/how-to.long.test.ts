import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/source.ts';
import { TYPE_CHECK, TYPES_SEEN } from '#scripts/test/tools.ts';
import { listening } from '#testing/listening.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Returns a copy of the tree without what is installed or built. */
function copyOfTree(): string {
  const copy = temporaryFolder();
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  if (existsSync(join(root, TYPES_SEEN))) {
    mkdirSync(dirname(join(copy, TYPES_SEEN)), { recursive: true });
    cpSync(join(root, TYPES_SEEN), join(copy, TYPES_SEEN));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Starts a gateway that refuses messages without a phone, or takes them too. */
async function startGateway(isRight: boolean): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      response.writeHead(isRight && !body.includes('"to"') ? 400 : 202).end();
    });
  });
  return `http://127.0.0.1:${await listening(server)}/messages`;
}

test('the examples of CONTRIBUTING.md compile, and their tests pass', async () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const diffs = [...page.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, diff = '']) => diff);
  expect(diffs).toHaveLength(2);
  // A check with its flow and its defect.
  const added = diffs[1]?.match(/^\+(?!\+\+)/gm)?.length;
  expect(added).toBeLessThanOrEqual(15);
  diffs.push(readFileSync(join(root, 'docs/examples/add-a-role.diff'), 'utf8'));
  const copy = copyOfTree();
  const inCopy = (...command: [string, ...string[]]) => run(command[0], command.slice(1), { cwd: copy });
  for (const [index, diff] of diffs.entries()) {
    const file = join(copy, `${index}.diff`);
    writeFileSync(file, diff);
    await inCopy('git', 'apply', '--unidiff-zero', '--whitespace=nowarn', file);
  }
  await inCopy(process.execPath, ...TYPE_CHECK);
  const tests = ['ehr-server/methods/patient/get_name.test.ts', 'protocol/methods/methods.test.ts'];
  const { stdout } = await inCopy('node_modules/.bin/vitest', 'run', '--project', 'shared', ...tests);
  expect(stdout).toMatch(/Test Files .*2 passed/);
  const selfTest = ['self-test', '--role', 'ehr-server', '--only', 'day-at-most'];
  const proof = await inCopy(process.execPath, 'scripts/run.mjs', 'conformance/main.ts', ...selfTest);
  expect(proof.stdout).toContain('1 of 1 defects found');
  for (const [isRight, words] of [
    [true, /A gateway: The one check that applies passed/],
    [false, /to blame {2}SMS gateway/],
  ] as const) {
    const file = join(copy, 'gateway.yaml');
    writeFileSync(file, `name: A gateway\nurl: ${await startGateway(isRight)}\n`);
    const judge = inCopy(
      process.execPath,
      'scripts/run.mjs',
      'conformance/main.ts',
      'sms-gateway',
      '--config',
      file,
    );
    expect((await judge.catch((error: { stdout: string }) => error)).stdout).toMatch(words);
  }
}, 480_000);
