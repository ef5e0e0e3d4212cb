import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { allPassed, example, play } from '../testing/play-parties.ts';
import { loadParties, type PartyFiles } from './load.ts';

test('an authorization server of another make plays the flows: its adapter file translates', async () => {
  const names = ['wrong-code', 'log-out-without-auth-server'];
  expect(await play({ 'auth-server': example('plain-js') }, [...names, 'old-code'])).toEqual({
    ...allPassed(names),
    'old-code': { outcome: 'left out', because: 'no movable clock of the authorization server' },
  });
});

test('an EHR server at another path, whose authenticate gives no record, plays flows', async () => {
  // The last one moves its clock.
  const names = ['first-link', 'wrong-details', 'session-expired'];
  expect(await play({ 'ehr-server': withoutRecord() }, names)).toEqual(allPassed(names));
});

/** The plain EHR server below `/2.0/`; only `patient.get_patient` gives the record. */
function withoutRecord(): string {
  const directory = temporaryFolder();
  const plain = resolve('conformance/examples/plain-ehr');
  const program = join(directory, 'server.mjs');
  writeFileSync(
    program,
    `import { run } from ${JSON.stringify(pathToFileURL(join(plain, 'server.mjs')).href)};
    await run((ehr) => {
      const right = ehr.authenticate.bind(ehr);
      ehr.authenticate = (params) => (right(params), {});
    });`,
  );
  const file = join(directory, 'ehr.yaml');
  const text = readFileSync(example('plain-ehr'), 'utf8')
    .replaceAll('1.0-alpha', '2.0')
    .replace('plain-ehr/server.mjs', `${program}, --api-version, "2.0"`)
    .replace('plain-ehr/patients.json', join(plain, 'patients.json'));
  writeFileSync(file, text);
  return file;
}

test('a client of another make plays the flows', async () => {
  const names = ['returning-user', 'no-entry', 'log-out-without-ehr-server'];
  expect(await play({ client: example('plain-client') }, names)).toEqual(allPassed(names));
});

test('a client with a fault makes its flow red, with the first differing message', async () => {
  const files = { client: example('plain-client-faulty') };
  const { 'log-out': logOut } = await play(files, ['log-out'], 'auth-first');
  expect(logOut).toMatchObject({
    outcome: 'failed',
    because: expect.stringContaining('There is no auth.logout ok where it ought to be.'),
    difference: expect.stringMatching(
      /^message \d+ is client to authorization server: auth\.logout, answered with ok\. In the right flow it is client to EHR server: embedded_storage\.remove_auth_info, answered with ok\.$/,
    ),
  });
  const { 'first-link': first } = await play(files, ['first-link'], 'form-to-auth');
  expect(first?.because).toMatch(
    /^Patient data reached the authorization server: surname in the request body/,
  );
  // The value itself is told to nobody.
  expect(JSON.stringify([first, logOut])).not.toMatch(/Petrova|1985-04-12/);
});

test('an EHR server with a fault makes its flow red', async () => {
  const ehr = { 'ehr-server': example('plain-ehr-faulty') };
  const { 'log-out': logOut } = await play(ehr, ['log-out'], 'logout-keeps-session');
  expect(logOut?.because).toBe('The EHR server still gives the record for a session that was ended.');
});

test('a file that cannot be used is named, with what to do', async () => {
  const load = (files: PartyFiles) => loadParties(files, {});
  await expect(load({ client: 'no-such.yaml' })).rejects.toThrow('no-such.yaml: there is no such file');
  await expect(load({ client: example('plain-ehr') })).rejects.toThrow(
    'is about an EHR server, and --client needs one about a client. Please give it as --ehr-server.',
  );
  const [auth, client] = [example('plain-js'), example('plain-client')];
  await expect(load({ 'ehr-server': auth })).rejects.toThrow('Please give it as --auth-server.');
  await expect(load({ 'auth-server': client })).rejects.toThrow('Please give it as --client.');
});

test('two servers that do not fit together are told before anything is started', async () => {
  const directory = temporaryFolder();
  const changed = (name: string, change: (text: string) => string) => {
    const file = join(directory, `${name}.yaml`);
    writeFileSync(file, change(readFileSync(example(name), 'utf8')));
    return file;
  };
  const auth = changed('plain-js', (text) => text.replaceAll(/\$\{internalPassword\}/g, 'fixed'));
  const ehr = changed('plain-ehr', (text) => text.replaceAll(/\$\{internalPassword\}/g, 'fixed'));
  await expect(loadParties({ 'auth-server': auth, 'ehr-server': ehr }, {})).rejects.toThrow(
    'state different internal credentials. Please state the same in both.',
  );
  const other = changed('plain-ehr', (text) => text.replaceAll('1.0-alpha', '2.0'));
  await expect(loadParties({ 'auth-server': example('plain-js'), 'ehr-server': other }, {})).rejects.toThrow(
    'at the path /2.0/',
  );
});
