import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../set-up/set-up.mjs';

type Service = {
  environment?: Record<string, string>;
  networks: { inside: { ipv4_address?: string } | null };
};

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const nginx = read('docs/examples/scale/nginx.conf');
const { services } = parse(read('docs/examples/scale/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
};
const servers = Object.entries(services).filter(([name]) => name.startsWith('ehr-'));

test('nginx names the servers’ addresses, and resolves no name once', () => {
  const addresses = servers.map(([, { networks }]) => networks.inside?.ipv4_address);
  for (const port of [4100, 4101]) {
    const named = [...nginx.matchAll(new RegExp(`^ *server (\\S+):${port} `, 'gm'))].map(([, host]) => host);
    expect(named).toEqual(addresses);
  }
});

test('each passing block of nginx has an answer for a missing server', () => {
  const blocks = nginx.split(/^ {2}server \{$/m).slice(1);
  expect(blocks).toHaveLength(2);
  expect(nginx.split(/^ {2}server \{$/m)[0]).toContain('error_page 502 504 =503 @away;');
  for (const block of blocks) {
    expect(block).toContain('proxy_pass http://');
    // A separate error page would replace the common one.
    expect(block).not.toContain('error_page');
    const body =
      /location @away \{\s+default_type application\/json;\s+return 503 '(.*)';/.exec(block)?.[1] ?? '';
    expect(JSON.parse(body)).toEqual({
      error: { status: 503, reason: 'unavailable', message: expect.any(String) },
    });
  }
});

test('the password of the database is no part of the address', () => {
  expect(servers.length).toBeGreaterThan(1);
  for (const [, { environment }] of servers) {
    expect(environment?.EHR_DATABASE).not.toContain('PASSWORD');
    expect(environment?.PGPASSWORD).toContain('POSTGRES_PASSWORD');
  }
});

test('a build of the image is given nothing that git ignores', () => {
  const kept = new Set(read('.dockerignore').split('\n'));
  const names = read('.gitignore')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\/$/, ''));
  expect(names).toContain('.data');
  for (const name of names) expect(kept.has(name) || kept.has(`**/${name}`), name).toBe(true);
});
