/** Runs a PostgreSQL that ends when the process that started it ends: the pipe to this one closes then. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, uid, gid, program, ...flags] = process.argv.slice(2);
const identity = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) };
const server = spawn(program, flags, { ...identity, stdio: ['ignore', 'inherit', 'inherit'] });
let isOrphan = false;

server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  process.stdin.destroy();
});
server.on('exit', (code, signal) => {
  if (isOrphan) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exit(code ?? (signal === null ? 1 : 0));
});
process.stdin.on('end', () => {
  isOrphan = true;
  server.kill('SIGQUIT');
  // A stopped process receives no other signal before this one.
  if (process.platform !== 'win32') server.kill('SIGCONT');
});
process.stdin.resume();
if (server.pid !== undefined) process.stdout.write(`${server.pid}\n`);
