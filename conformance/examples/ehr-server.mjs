/** Starts the EHR server of this project for `ehr-server.yaml`, with the personas as patients. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownProgram } from './own-program.mjs';

// The database of patients is made once: the personas, and nobody else.
if (!existsSync(process.env.EHR_DATABASE)) {
  const fixtures = fileURLToPath(await ownProgram('mis-fixtures/main.ts', 'ehr-fixtures'));
  const options = ['--patients', '0', '--database', process.env.EHR_DATABASE];
  execFileSync(process.execPath, [fixtures, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}
await import(await ownProgram('ehr-server/main.ts', 'ehr-server'));
