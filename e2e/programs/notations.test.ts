/** The free-text settings of the programs, times the notations that people know. */

import { readDuration } from '#demo/commands/clocks.ts';
import { readDemoConfig } from '#demo/settings.ts';
import { runCommand } from '#ehr-server/commands/run.ts';
import { readEhrConfig } from '#ehr-server/config.ts';
import { runFixtures } from '#mis-fixtures/cli.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { ADDRESSES, AMOUNTS, type NotationRow, testNotations } from '#testing/notations.ts';

const env = { EHR_INTERNAL_USER: 'auth', EHR_INTERNAL_PASSWORD: 'secret' };

const ehr = (flag: string, name: string) => (text: string) =>
  (readEhrConfig([flag, text], env) as Record<string, unknown>)[name];
const auth = (flag: string, name: string) => (text: string) =>
  (readAuthConfig([flag, text], env) as Record<string, unknown>)[name];

/** Texts that are taken as they are. */
const asWritten = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]));

const SIZES = [...'64k 64K 64kb 1MB 1m 65.536 65,536 6.5e4 0x10000 unlimited'.split(' '), '64 KiB'];
const DATABASES = [
  ...['mysql://u:pw@db/ehr', 'jdbc:postgresql://db/ehr?password=pw', 'sqlite:ehr.db', 'sqlite://ehr.db'],
  ...['file:ehr.sqlite?password=pw', 'file:///ehr.sqlite', 'mongodb+srv://u:pw@db/ehr', 'http://db/ehr'],
];
async function auditSince(text: string): Promise<void> {
  let said = '';
  const out = { write: (words: string) => (said += words) } as unknown as NodeJS.WritableStream;
  const signal = new AbortController().signal;
  const argv = ['audit', '--since', text, '--database', './none.sqlite'];
  const code = await runCommand(argv, { out, err: out, env: {}, clock: systemClock, signal });
  // A day that is understood leads to the database, which there is none.
  if (code !== 1) throw new Error(said);
}

async function fixturesInto(database: string): Promise<void> {
  let said = '';
  const out = { write: (words: string) => (said += words) } as unknown as NodeJS.WriteStream;
  await runFixtures(['--patients', '0', '--database', database], { out, err: out });
  throw new Error(said);
}

const rows: Readonly<Record<string, NotationRow>> = {
  'audit --since': {
    read: auditSince,
    understood: { '2026-01-31': undefined, '2026-01-31T09:30:00Z': undefined },
    refused: [
      ...'31.01.2026 2026/01/31 01/31/2026 20260131 2026-02-30 yesterday 7d'.split(' '),
      'Jan 31, 2026',
    ],
    says: /--since.*It must be a day or a time such as 2026-01-31 or 2026-01-31T09:30:00Z/s,
  },
  'clock advance, fault --delay': {
    read: (text) => {
      const ms = readDuration(text);
      if (ms === undefined) throw new Error('no duration');
      return ms;
    },
    understood: {
      '1h30m': 5_400_000,
      '1.5h': 5_400_000,
      '90m': 5_400_000,
      '500ms': 500,
      '1d12h': 129_600_000,
    },
    refused: [...'10 10min 1h30 01:30 PT10M 1,5h -1m 30m1h 1M'.split(' '), '10 m', '90 minutes', ''],
    says: /no duration/,
  },
  'EHR server --body-limit': {
    read: ehr('--body-limit', 'bodyLimit'),
    understood: { '65536': 65_536 },
    refused: SIZES,
    says: /^--body-limit \(environment variable EHR_BODY_LIMIT\) must be a whole number from 1024 to \d+; given was/,
  },
  'EHR server --database': {
    read: ehr('--database', 'database'),
    understood: asWritten('./x:y.sqlite', 'C:\\ehr.sqlite', ':memory:'),
    refused: DATABASES,
    says: /^--database (?!.*pw).*must be a SQLite file or an address that begins with postgres:\/\/\.$/,
  },
  'authorization server --database': {
    read: auth('--database', 'database'),
    understood: asWritten('./x:y.sqlite', 'C:\\auth.sqlite'),
    refused: [...DATABASES, 'postgres://u:pw@db/auth'],
    says: /^--database (?!.*pw).*must be a SQLite file; it is an address\.$/,
  },
  'fixtures --database': {
    read: fixturesInto,
    understood: {},
    refused: DATABASES,
    says: /^--database (?!.*pw).*must be a SQLite file or an address that begins with postgres:\/\/\.\n$/,
  },
  'EHR server --origins': {
    read: ehr('--origins', 'origins'),
    understood: { 'http://a:1, https://b': ['http://a:1', 'https://b'], '': [] },
    refused: [
      ...['*', 'localhost:4300', 'http://localhost:4300/', 'http://localhost:4300/app', 'http://a;http://b'],
      'http://*.b',
    ],
    says: /^--origins .* must be comma-separated origins such as http:\/\/localhost:4300; given was/,
  },
  'EHR server --trusted-proxies': {
    read: (text) => Boolean(ehr('--trusted-proxies', 'trustedProxies')(text)),
    understood: { '10.0.0.0/8, ::1': true },
    refused: [
      ...'10.0.0.1-10.0.0.9 10.0.0.0/255.0.0.0 10.0.0.* proxy.internal true 1 10.0.0.0/33'.split(' '),
      ...['http://10.0.0.1', '10.0.0.1:80'],
    ],
    says: /^--trusted-proxies .*must be .*; given was/,
  },
  'authorization server --ehr-url': {
    read: auth('--ehr-url', 'ehrUrl'),
    understood: {
      'http://localhost:4100/': 'http://localhost:4100',
      'HTTP://localhost:4100': 'HTTP://localhost:4100',
    },
    refused: [...ADDRESSES, 'http://u:p@localhost:4100', 'http://localhost:4100?x=1'],
    says: /^--ehr-url .* must be an http or https address/,
  },
  'demo --patients': {
    read: (text) => readDemoConfig(['--patients', text], {})?.patients,
    understood: { '1000': 1_000 },
    refused: ['1k', '10K', '1e5', ...AMOUNTS],
    says: /^--patients .* must be a whole number from 0 to 10000000; given was/,
  },
};

testNotations(rows);
