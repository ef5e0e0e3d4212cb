import { expect, test } from 'vitest';
import { problemsOf } from '../engine/party/file/read-settings.ts';
import { adapterSchema } from './auth-server/adapter/file/schema/schema.ts';
import { clientFileSchema } from './client/settings.ts';
import { ehrFileSchema } from './ehr-server/settings.ts';

const address = 'http://kit:4711@localhost/?key=4711';
const program = { command: 'serve --key=4711', env: { KEY: 4711 } };
const server = { url: address, start: program };
const internal = { user: 'kit', password: 4711 };
const steps = {
  logout: { method: 'PUT', headers: { key: 4711 }, form: { key: 4711 }, body: 4711 },
  restart: { rpc: 'restart', url: address, headers: 'key: 4711', params: 'key=4711' },
};
const patient = { name: 4711, surname: 4711, date: '4711', phone: 4711, gender: 4711 };

const ofServer = ['server.url', 'server.start.command', 'server.start.env.KEY', 'internal.password'];
const ofSteps = [
  ...['steps.logout.headers.key', 'steps.logout.form.key', 'steps.logout.body'],
  ...['steps.restart.url', 'steps.restart.headers', 'steps.restart.params'],
];
const ofPatient = Object.keys(patient).map((key) => `people.inactive.${key}`);
const ofClient = ['client.command', 'client.env.KEY'];
const ofPage = ['browser.address', 'browser.start.command', 'browser.start.env'];

const auth = { server, internal, otp: { fixed: { code: 4711 } }, steps };
const ehr = { server, internal, people: { inactive: patient } };
const client = { client: program, browser: { address, start: { ...program, env: 'KEY=4711' } } };

test.each([
  ['an authorization server', adapterSchema, auth, [...ofServer, 'otp.fixed.code', ...ofSteps]],
  ['an EHR server', ehrFileSchema, ehr, [...ofServer, ...ofPatient]],
  ['a client', clientFileSchema, client, [...ofClient, ...ofPage]],
] as const)('no error shows a wrong secret in the file of %s', (_of, schemaOf, data, places) => {
  const schema = schemaOf(() => undefined);
  const problems = problemsOf(schema.safeParse(data).error?.issues ?? [], { schema, data });
  expect(problems.map(({ path }) => path.join('.'))).toEqual(expect.arrayContaining([...places]));
  expect(problems.filter(({ sentence }) => sentence.includes('4711'))).toEqual([]);
});
