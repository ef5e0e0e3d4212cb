/**
 * Delays each answer of a server by a second, to measure a run under field conditions. Not part of any test.
 *
 * It starts the program named on its command line, which prints its address as "listening on http://…", and
 * works as its proxy. In an adapter file put it before the command: ['${node}', testing/slow.mjs,
 * challenge.mjs]. DELAY_MS sets the delay.
 */
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const DELAY_MS = Number(process.env.DELAY_MS ?? '1000');

const child = spawn(process.execPath, process.argv.slice(2), {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('SIGTERM', () => {
  child.kill();
  process.exit(0);
});
child.on('exit', (code) => process.exit(code ?? 1));

for await (const line of createInterface({ input: child.stdout })) {
  const target = /listening on (http:\S+)/.exec(line)?.[1];
  if (target === undefined) continue;
  const server = createServer((incoming, response) => {
    const outgoing = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
    });
    outgoing.on('response', async (reply) => {
      const chunks = [];
      for await (const chunk of reply) chunks.push(chunk);
      await sleep(DELAY_MS);
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(Buffer.concat(chunks));
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write(`${line}, slowly\n`));
}
