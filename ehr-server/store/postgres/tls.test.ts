import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import { createAuthority } from '#service/tls/testing-certificates.ts';
import { listening } from '#testing/listening.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { proves } from '#testing/proves.ts';
import { openStore } from '../open-store.ts';

const { createDatabase } = usePostgres();

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
