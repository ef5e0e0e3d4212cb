import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '#service/tls/testing-tls.ts';
import { listening } from '#testing/listening.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { proves } from '#testing/proves.ts';
import { openStore } from '../open-store.ts';
import type { Store } from '../store.ts';
import { openPool } from './pool.ts';
import { steps } from './schema.ts';

const { createDatabase, createSchema, database } = usePostgres();

async function open(database: string): Promise<Store> {
  const store = await openStore({ database, audit: true });
  onTestFinished(() => store.close());
  return store;
}

test('ten instances that start at once on an empty database all come up', async () => {
  const url = await createSchema();
  const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)));
  await Promise.all(stores.map((store) => store.check()));
  expect(await runOn(url, 'SELECT version FROM ehr_schema')).toEqual([{ version: steps.length }]);
});

test('a database of a newer version is left alone', async () => {
  const url = await createSchema();
  await (await open(url)).check();
  await runOn(url, 'UPDATE ehr_schema SET version = 99');
  await expect(open(url)).rejects.toThrow(
    /newer version of this program \(schema 99, known is \d+\), so please update/,
  );
  expect(await runOn(url, 'SELECT version FROM ehr_schema')).toEqual([{ version: 99 }]);
});

test('a database of another encoding is refused', async () => {
  const url = await database();
  const other = new URL(url);
  other.pathname = `${other.pathname}_latin1`;
  const name = pg.escapeIdentifier(other.pathname.slice(1));
  await runOn(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
  onTestFinished(async () => void (await runOn(url, `DROP DATABASE ${name}`)));
  await expect(open(other.href)).rejects.toThrow('its encoding is LATIN1, and must be UTF8');
});

test('settings of the address are kept beside those of the program', async () => {
  const url = new URL(await database());
  url.searchParams.set('options', '-c search_path=elsewhere -c enable_seqscan=on');
  const pool = openPool(url.href, 1, { timeoutMs: 1_234 });
  onTestFinished(() => pool.end());
  const shown = async (name: string) => Object.values((await pool.query(`SHOW ${name}`)).rows[0]).join();
  expect(await shown('search_path')).toBe('elsewhere');
  expect(await shown('enable_seqscan')).toBe('off');
  expect(await shown('statement_timeout')).toBe('1234ms');
  expect(await shown('lock_timeout')).toBe('617ms');
  expect(await shown('application_name')).toBe('ehr-server');
});

test('a number that would be rounded is an error', async () => {
  const pool = openPool(await database(), 1);
  onTestFinished(() => pool.end());
  expect((await pool.query('SELECT 9007199254740991::bigint AS n')).rows).toEqual([
    { n: Number.MAX_SAFE_INTEGER },
  ]);
  await expect(pool.query('SELECT 9007199254740992::bigint AS n')).rejects.toThrow(
    'beyond the safe whole numbers',
  );
});

/** The message by which a client asks for TLS. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Offers TLS in front of the PostgreSQL of `url`. `first`: what the first message of each connection was. */
async function offerTls(url: URL, certificate: { cert: Buffer; key: Buffer }) {
  const first: Buffer[] = [];
  const folder = url.searchParams.get('host');
  const [host, inner] = [url.hostname, Number(url.port)];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (message) => {
      first.push(message);
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      const inside = folder ? connect(`${folder}/.s.PGSQL.${inner}`) : connect(inner, host);
      for (const each of [secure, inside]) each.on('error', () => inside.destroy());
      secure.pipe(inside).pipe(secure);
    });
  });
  return { first, port: await listening(server) };
}

proves(['T-network-10'], 'connections are encrypted and the server is verified as sslmode says', async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('localhost');
  const url = new URL(await createDatabase());
  const { first, port } = await offerTls(url, { cert: readFileSync(cert), key: readFileSync(key) });
  url.searchParams.delete('host');
  url.host = `localhost:${port}`;
  const verifying = (ca: string) => `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;
  const store = await openStore({ database: verifying(authority.ca), audit: true });
  await store.check();
  await store.close();
  expect(first).toEqual([TLS_REQUEST, TLS_REQUEST]);
  const stranger = await createAuthority();
  await expect(openStore({ database: verifying(stranger.ca), audit: true })).rejects.toThrow(
    /^Failed to open the database postgres:\/\/postgres@localhost:\d+\/\w+: (?:unable to verify|self.signed certificate)/,
  );
});
