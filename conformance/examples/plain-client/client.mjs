#!/usr/bin/env node
/**
 * A client application of the Embedded EHR Storage Interface in plain JavaScript, without dependencies.
 *
 * Each line of standard input is what a person does. Each line of output is what the person sees then. Both
 * are JSON. A § number is a paragraph of the interface. The methods `auth.*` are those of the authorization
 * server of this project.
 */
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from './flow.mjs';

/**
 * Runs the client until its input ends. `alter` changes the client before it starts: `faulty.mjs` puts faults
 * into it.
 */
export async function run(alter) {
  const text = { type: 'string' };
  const version = { type: 'string', default: '1.0-alpha' };
  const options = { auth: text, ehr: text, storage: text, 'api-version': version, help: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  if (values.help || !values.auth || !values.ehr) {
    process.stdout.write(
      'Usage: node client.mjs --auth URL --ehr URL [--api-version LABEL] [--storage FILE]\n',
    );
    process.exit(values.help ? 0 : 2);
  }
  const client = new Client(values);
  alter?.(client);
  const lines = createInterface({ input: process.stdin });
  process.once('SIGTERM', () => lines.close());
  for await (const line of lines)
    process.stdout.write(`${JSON.stringify(await client.act(JSON.parse(line)))}\n`);
  // §4.5: a person who leaves the application is logged out.
  await client.act({ do: 'logout' });
}

// Runs only as a program, not when another file imports it.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await run();
