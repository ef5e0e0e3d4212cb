/**
 * Runs the suites of the endpoint again, with sessions, exchange tokens, links and the audit in a SQLite
 * file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { settingsOfThisFile } from '#testing/ehr-alone.ts';

const folder = mkdtempSync(join(tmpdir(), 'on-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
settingsOfThisFile(async () => ({ EHR_DATABASE: join(folder, `${++files}.sqlite`) }));

await import('./methods/embedded_storage/save_exchange_token.test.ts');
await import('./guessing.test.ts');
await import('./methods/embedded_storage/save_auth_info.test.ts');
await import('./methods/embedded_storage/session.test.ts');
