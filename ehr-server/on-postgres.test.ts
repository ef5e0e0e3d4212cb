/**
 * Runs the suites of the endpoint again, with sessions, exchange tokens, links and the audit in PostgreSQL.
 */
import { settingsOfThisFile } from '#e2e/ehr-alone.ts';
import { usePostgres } from '#e2e/use-postgres.ts';

const { createDatabase } = usePostgres();
settingsOfThisFile(async () => ({ EHR_DATABASE: await createDatabase(), EHR_RATE_LIMIT: 'off' }));

await import('./exchange-token.test.ts');
await import('./guessing.test.ts');
await import('./save_auth_info.test.ts');
await import('./session.test.ts');
