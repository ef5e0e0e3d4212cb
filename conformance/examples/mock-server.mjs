/** Starts the mock authorization server of this project for the adapter files in this folder. */
import { ownProgram } from './own-program.mjs';

await import(await ownProgram('mock-auth-server/main.ts', 'ehr-auth-server'));
