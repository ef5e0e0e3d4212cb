#!/usr/bin/env node
/**
 * A client application of the Embedded EHR Storage Interface in plain JavaScript, without dependencies.
 *
 * Each line of standard input is what a person does, each line of output what the person sees then, as JSON.
 * `flow.mjs` has the order of the calls, `rpc.mjs` the messages, `texts.mjs` the sentences for the person. §
 * numbers are those of the interface; the methods `auth.*` are those of this project's authorization server.
 */
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from './flow.mjs';

const HELP = `Usage: node client.mjs --auth URL --ehr URL [options]

  --auth URL             endpoint of the authorization server
  --ehr URL              base URL of the EHR server, without the version segment
  --api-version LABEL    version segment of the EHR server's endpoint (default 1.0-alpha)
  --storage FILE         keeps session and signatures; absent: they end with the program

Actions, one a line: {"do":"signIn","phone":"…"}, {"do":"enterCode","code":"…"}, {"do":"resend"},
{"do":"fillForm","values":{"name":"…","surname":"…","date":"YYYY-MM-DD","phone":"…"}} with "gender" and
"medCardId" if known, {"do":"readPatient"}, {"do":"logout"}, {"do":"disconnect"}, {"do":"deleteAccount"} and
{"do":"restart"}, which forgets all but the storage. At the end of input the person leaves, and is logged out.
`;

/**
 * Plays a person line by line, until the end of input or SIGTERM.
 * @param {(client: Client) => void} [alter] changes the client before it starts, as its faulty twin does
 */
export async function run(alter) {
  const text = { type: 'string' };
  const version = { type: 'string', default: '1.0-alpha' };
  const options = { auth: text, ehr: text, storage: text, 'api-version': version, help: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  if (values.help || !values.auth || !values.ehr) {
    process.stdout.write(HELP);
    process.exit(values.help ? 0 : 2);
  }
  const client = new Client(values);
  alter?.(client);
  const lines = createInterface({ input: process.stdin });
  process.once('SIGTERM', () => lines.close());
  for await (const line of lines) process.stdout.write(`${JSON.stringify(await client.act(parse(line)))}\n`);
  // §4.5: whoever leaves the application is logged out before it is unloaded.
  await client.act({ do: 'logout' });
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await run();
