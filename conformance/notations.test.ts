/** The free-text settings of the kit's files, times the notations that people know. */
import { ADDRESSES, type NotationRow, testNotations } from '#testing/notations.ts';
import { parseKnownFailures } from './engine/report/known-failures.ts';
import { loadVariant } from './roles/auth-server/adapter/testing/adapter-file.ts';
import { ehrFileSchema } from './roles/ehr-server/settings.ts';

const listed = (texts: string) => texts.split(' | ');

/** The messages of a schema, or the value. */
function parsed(schema: {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown };
}) {
  return (value: unknown) => {
    const { success, data, error } = schema.safeParse(value);
    if (!success) throw new Error(String(error));
    return data;
  };
}

/** As YAML reads it: digits alone are a number. */
const numberOr = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

function withBirth(date: string): object {
  const person = { name: 'Anna', surname: 'Petrova', date, phone: '79995550101' };
  return {
    name: 'A server',
    server: { url: 'http://127.0.0.1:9' },
    internal: { user: 'kit', password: { env: 'PASSWORD' } },
    people: { matching: [person, person, person] },
  };
}

const rows: Readonly<Record<string, NotationRow>> = {
  'known failures: until': {
    read(text) {
      const known = `known: [{ check: x, because: why, until: ${JSON.stringify(text)} }]`;
      return parseKnownFailures(known, 'known.yaml', ['x'])[0]?.until;
    },
    understood: { '2020-03-31': '2020-03-31' },
    refused: ['31.03.2020', '2020/03/31', '31-03-2020', 'March 31, 2020', '20200331', '31 марта 2020'],
    says: /^known\.yaml:1:42: Please write the last day as YYYY-MM-DD\.$/,
  },
  'kit file: a time': {
    read: async (text) =>
      (await loadVariant({ timeouts: { patienceMs: numberOr(text) } })).settings.timeouts.patienceMs,
    understood: { '15000': 15_000 },
    refused: ['15s', '15 s', '15_000', '15,000', '1.5', '-1', '0', 'PT15S', '1h'],
    says: /timeouts\.patienceMs: must be a whole number from 1 to 3600000/,
  },
  'kit file: server.url': {
    read: async (text) => (await loadVariant({ server: { url: text } })).settings.server.url,
    understood: { 'https://server.example': 'https://server.example' },
    refused: ADDRESSES,
    says: /server\.url: must be an http or https address without user, query and fragment, such as http:/,
  },
  'kit file: ehr.host': {
    read: async (text) => (await loadVariant({ ehr: { host: text } })).settings.ehr.host,
    understood: { '0.0.0.0': '0.0.0.0', '::': '::', '[::1]': '::1', 'kit.local': 'kit.local' },
    refused: ['http://0.0.0.0', '0.0.0.0:4180', 'localhost:4180', '[::1]:4180', '*', '0.0.0.0/0'],
    says: /ehr\.host: must be a host name or an address/,
  },
  'kit file: people.phones': {
    read: async (text) => (await loadVariant({ people: { phones: text } })).settings.people.phones,
    understood: { '+7999555####': '+7999555####' },
    refused: listed(
      '7999 555 #### | 7999-555-#### | (7999)555#### | 7999555xxxx | 7999555NNNN | 7999555**** | ####',
    ),
    says: /people\.phones: must /,
  },
  'file about an EHR server: day of birth': {
    read: (text) => parsed(ehrFileSchema(() => 'secret'))(withBirth(text)) && text,
    understood: { '1985-04-12': '1985-04-12' },
    refused: listed(
      '12.04.1985 | 1985/04/12 | 12-04-1985 | April 12, 1985 | 19850412 | 1985-02-30 | 1985-04-12T00:00:00Z',
    ),
    says: /must be a day such as 1985-04-12/,
  },
};

testNotations(rows);
