import { chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { claims } from '#e2e/threats/claims.ts';
import { createAuthority } from '#service/tls/testing-certificates.ts';
import { unprivileged } from '#testing/postgres/binaries.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { startPostgres } from '#testing/postgres/postgres.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openStore } from '../open-store.ts';

/** A PostgreSQL that offers TLS with a certificate of `authority`. */
async function startWithTls(authority: Awaited<ReturnType<typeof createAuthority>>) {
  const files = await authority.issue('localhost');
  const folder = temporaryFolder();
  const owned = [folder, join(folder, 'cert.pem'), join(folder, 'key.pem')] as const;
  copyFileSync(files.cert, owned[1]);
  copyFileSync(files.key, owned[2]);
  const identity = unprivileged();
  if (identity) for (const path of owned) chownSync(path, identity.uid, identity.gid);
  const postgres = await startPostgres({
    tcp: true,
    settings: { fsync: 'off', ssl: 'on', ssl_cert_file: owned[1], ssl_key_file: owned[2] },
  });
  onTestFinished(() => postgres.close());
  return postgres;
}

claims(['T-network-10'], 'connections are encrypted and the server is verified as sslmode says', async () => {
  const authority = await createAuthority();
  const postgres = await startWithTls(authority);
  const database = await postgres.createDatabase();
  const verifying = (ca: string) => `${database}?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;
  const store = await openStore({ database: verifying(authority.ca), audit: true });
  await store.check();
  const encrypted = await runOn(
    database,
    `SELECT bool_and(ssl) AS all_of_them, count(*)::int AS n FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'ehr-server'`,
  );
  await store.close();
  expect(encrypted).toEqual([{ all_of_them: true, n: 1 }]);
  const stranger = await createAuthority();
  await expect(openStore({ database: verifying(stranger.ca), audit: true })).rejects.toThrow(
    /^Failed to open the database postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+: unable to verify|self.signed certificate/,
  );
});
