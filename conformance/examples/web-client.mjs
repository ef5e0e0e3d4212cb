/** Starts the web client of this project, the client under test of the example file web-client.yaml. */
import { ownProgram } from './own-program.mjs';

await import(await ownProgram('mock-client/main.ts', 'ehr-client'));
