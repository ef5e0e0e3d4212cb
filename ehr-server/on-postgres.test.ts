/**
 * Runs the suites of the endpoint again, with sessions, exchange tokens, links and the audit in PostgreSQL.
 */
import { settingsOfThisFile } from '#testing/ehr-alone.ts';
import { usePostgres } from '#testing/use-postgres.ts';

const { createDatabase } = usePostgres();
settingsOfThisFile(async () => ({ EHR_DATABASE: await createDatabase(), EHR_RATE_LIMIT: 'off' }));

await import('./methods/embedded_storage/save_exchange_token.test.ts');
await import('./guessing.test.ts');
await import('./methods/embedded_storage/save_auth_info.test.ts');
await import('./methods/embedded_storage/session.test.ts');
