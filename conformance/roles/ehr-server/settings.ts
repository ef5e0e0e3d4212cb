/** Reads the file about an EHR server under test: its address, its patients, and what the kit can control. */
import { z } from 'zod';
import { dayKey } from '#protocol/wire/matching.ts';
import {
  baseUrl,
  type Env,
  inReports,
  milliseconds,
  type ReadEnv,
  secret,
  section,
  text,
} from '../../engine/party/file/fields.ts';
import {
  filesInFolderOf,
  inFolderOf,
  readSource,
  serverFileProblems,
  settingsOf,
} from '../../engine/party/file/read-settings.ts';
import { internalSchema, pemPair, portsSchema, serverSchema } from '../../engine/party/file/server-schema.ts';
import { stepSchema } from '../../engine/party/file/step-schema.ts';

const phone = text.regex(/^\+?\d{5,15}$/, 'must be a phone: digits alone');

const personSchema = secret(
  section({
    name: text.describe('Given name'),
    surname: text.describe('Family name'),
    date: text
      .refine((value) => dayKey(value) === value, 'must be a day such as 1985-04-12')
      .describe('Day of birth'),
    phone: phone.describe('A phone of the record'),
    gender: z.int().min(0).max(3).optional().describe('0 male, 1 female, 2 other, 3 unknown'),
    medCardId: text.optional().describe('Number of the medical card'),
  }),
);

export type KnownPerson = z.output<typeof personSchema>;

/** Some scenarios need three patients at the same time. */
export const MIN_MATCHING = 3;

const peopleSchema = section({
  matching: inReports(
    z
      .array(personSchema, 'must be a list of patients')
      .min(MIN_MATCHING, `must name at least ${MIN_MATCHING} patients`)
      .describe('Patients whom their properties identify'),
    (patients) => `${patients.length} patients`,
  ),
  ambiguous: inReports(personSchema.optional().describe('Properties that fit two patients'), isNamed),
  inactive: inReports(
    z
      .union([personSchema, z.array(personSchema).min(1, 'must name a patient')])
      .optional()
      .describe('One who is inactive or deceased, or a list of such'),
    isNamed,
  ),
});

/** For reports, which show no patient. */
function isNamed(patient: object | undefined): string {
  return patient ? 'named' : 'none named';
}

export function ehrFileSchema(readEnv: ReadEnv) {
  const step = stepSchema(readEnv);
  return section({
    $schema: text.optional().describe('For editors'),
    name: text.max(100, 'must have at most 100 characters').describe("The server's name, for reports"),
    ports: portsSchema,
    server: serverSchema(readEnv).describe('The public endpoint'),
    internalUrl: inReports(baseUrl.optional().describe('The internal endpoint; the public one unless given')),
    internalTls: inReports(
      section(pemPair).optional().describe('The client certificate that it demands'),
      (tls) => tls && 'a client certificate',
    ),
    internal: internalSchema(readEnv),
    ttlUnit: inReports(
      z
        .enum(['minutes', 'seconds'], "must be 'minutes' or 'seconds'")
        .default('minutes')
        .describe('Unit of ttl'),
    ),
    origin: baseUrl.optional().describe('A web origin whose pages may call'),
    people: peopleSchema.describe('Patients whom the server knows'),
    control: section({
      advanceClock: step.optional().describe('Moves the clock by the template milliseconds'),
      restart: step.optional().describe('Stops the server and starts it again'),
    })
      .prefault({})
      .describe('What the kit can control'),
    timeouts: inReports(
      section({ callMs: milliseconds.default(10_000).describe('How long a call may take') }).prefault({}),
    ),
  });
}

export type EhrSettings = z.output<ReturnType<typeof ehrFileSchema>>;

export type LoadedEhrFile = {
  file: string;
  settings: EhrSettings;
  /** Values that no report or message may show. */
  secrets: readonly string[];
};

/** @throws AdapterFileError that lists every problem with its place and what would be valid */
export function loadEhrFile(file: string, env: Env): LoadedEhrFile {
  const how = { env, schema: ehrFileSchema, problems: serverFileProblems };
  const { settings, secrets } = settingsOf(file, readSource(file), how);
  const { internalTls } = settings;
  const { start, ...server } = settings.server;
  return {
    file,
    settings: {
      ...settings,
      ...(internalTls && { internalTls: filesInFolderOf(file, internalTls) }),
      server: { ...server, ...(start && { start: inFolderOf(file, start) }) },
    },
    secrets: [...secrets.add(settings.internal.password)],
  };
}
