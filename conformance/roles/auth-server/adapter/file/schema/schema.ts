/** The members of an adapter file, read with zod, and the values that several of them have. */
import { z } from 'zod';
import { type StepName, stepNames } from '../../../../../engine/journal/entry.ts';
import { clientSteps } from '../../../../../engine/journal/names.ts';
import {
  COMPLETE,
  exactlyOne,
  headers,
  host,
  inReports,
  milliseconds,
  path,
  pattern,
  pointer,
  port,
  type ReadEnv,
  secret,
  section,
  switchValue,
  text,
  textOrEnv,
  url,
  whole,
} from '../../../../../engine/party/file/fields.ts';
import {
  internalSchema,
  pemPair,
  portsSchema,
  serverSchema,
} from '../../../../../engine/party/file/server-schema.ts';
import { stepSchema } from '../../../../../engine/party/file/step-schema.ts';

/** A pattern of phones, in which each # stands for any digit. Four # make 10,000 phones. */
export const phonePattern = text
  .regex(/^\+?[\d#]{5,16}$/, 'must be digits and #, such as 7999555####')
  .refine((value) => value.split('#').length > 4, 'must have at least four #, so that the phones suffice');

const phoneNumber = text.regex(/^\+?\d{5,15}$/, 'must be a phone: digits alone');

const tlsSchema = section({
  ...pemPair,
  clientCa: text.optional().describe('Authorities of the certificate that your server must show'),
  otherName: section(pemPair).optional().describe('A pair for another name, not to be accepted'),
  foreign: section(pemPair).optional().describe("A pair of an unknown authority; the kit's own unless given"),
});

const ehrSchema = section({
  apiVersion: inReports(
    z
      .string('must be text')
      .regex(/^[A-Za-z0-9._~-]*$/, 'must be a label of letters, digits, dots and hyphens, or empty')
      .default('1.0-alpha')
      .describe('Version segment of the endpoint'),
  ),
  listen: port.default(4180).describe('Port; 0: a free one'),
  host: host.default('127.0.0.1').describe('Address to listen on'),
  configuredIn: inReports(text.optional().describe('Where your server has its address, in words')),
  ttlUnit: z
    .enum(['minutes', 'seconds'], 'must be minutes or seconds')
    .default('minutes')
    .describe('Unit of ttl'),
  tls: inReports(
    tlsSchema.optional().describe('Has the kit listen with https'),
    (tls) => tls && (tls.clientCa === undefined ? 'https' : 'https with client certificates'),
  ),
}).prefault({});

const peopleSchema = section({
  phones: inReports(
    z
      .union([
        phonePattern,
        z.array(phoneNumber, 'must be a list of phones').min(4, 'must have at least four phones'),
      ])
      .describe('A pattern, or a list of at least four'),
    // Listed phones may belong to real people.
    (phones) => (typeof phones === 'string' ? phones : `${phones.length} phones`),
  ),
  unknown: phonePattern.optional().describe('Pattern of phones that the server does not know'),
  withoutCorrespondence: inReports(
    phoneNumber.optional().describe('A phone without an entry in the correspondence table'),
    (phone) => (phone === undefined ? 'none named' : 'named'),
  ),
});

const timeoutsSchema = section({
  patienceMs: milliseconds
    .default(15_000)
    .describe('How long your server may take while the EHR server is silent; this is judged'),
  stepMs: milliseconds
    .optional()
    .describe('How long the kit waits for a step; patienceMs, and at least 15000, unless given'),
  personMs: milliseconds.default(300_000).describe('How long a person may take for a step'),
})
  .refine(({ stepMs, patienceMs }) => stepMs === undefined || stepMs >= patienceMs, {
    error: ({ input }) =>
      `must not be less than patienceMs (${Object(input).patienceMs}): an answer within patienceMs would be cut off.`,
    path: ['stepMs'],
    params: COMPLETE,
  })
  .prefault({});

export function adapterSchema(readEnv: ReadEnv) {
  return section({
    $schema: text.optional().describe('For editors'),
    name: text.max(100, 'must have at most 100 characters').describe("The server's name, for reports"),
    ports: portsSchema,
    server: serverSchema(readEnv).describe('The server under test'),
    internal: internalSchema(readEnv),
    ehr: ehrSchema.describe('The EHR server that the kit shows'),
    otp: otpSchema(readEnv).optional().describe('How a one-time code is learned'),
    people: peopleSchema.describe('Whom the kit signs in'),
    steps: stepsSchema(readEnv).describe('What a client of the server does'),
    timeouts: inReports(timeoutsSchema.describe('Bounds of time')),
  });
}

const STEPS: Readonly<Record<StepName, string>> = {
  requestOtp: 'A code is requested for a phone',
  confirmOtp: 'The code is confirmed, and a session opened',
  exchangeToken: 'An exchange token is asked for',
  reportLink: 'The server is told of the link',
  logout: 'The session is ended',
  deleteUser: "The user's data are deleted",
  removeCorrespondence: 'The correspondence of a user is removed',
  advanceClock: "The server's clock is moved forward",
  expireSession: 'A session ends before its time',
  restart: 'The server is stopped and started again',
};

function stepsSchema(readEnv: ReadEnv) {
  const step = stepSchema(readEnv);
  const named = (name: StepName) => step.optional().describe(STEPS[name]);
  const shape = Object.fromEntries(stepNames.map((name) => [name, named(name)])) as Record<
    StepName,
    ReturnType<typeof named>
  >;
  // Only the published JSON Schema requires these: a module may perform steps in its own way.
  return section(shape).meta({ required: [...clientSteps] });
}

export type AdapterSettings = z.output<ReturnType<typeof adapterSchema>>;

const codePattern = pattern.optional().describe('Regular expression whose first group is the code');

const sinkSchema = section({
  port: port.default(4181).describe('Port; 0: a free one'),
  host: host.default('127.0.0.1').describe('Address to listen on'),
  shape: inReports(
    z.enum(['json', 'twilio'], 'must be json or twilio').default('json').describe('API of the gateway'),
  ),
  pattern: codePattern,
});

export function outboxSchema(readEnv: ReadEnv) {
  return section({
    request: section({
      method: z.enum(['GET', 'POST'], 'must be GET or POST').default('GET').describe('HTTP method'),
      path: path.optional().describe('Path, with the template phone'),
      url: url.optional().describe('A whole address instead'),
      headers: headers(readEnv).optional().describe('Headers'),
    }).describe('The request'),
    list: pointer.default('').describe('Place of the list in the answer'),
    order: z
      .enum(['newest-first', 'oldest-first'], 'must be newest-first or oldest-first')
      .default('newest-first')
      .describe('Order of the list'),
    to: pointer.optional().describe('Place of the phone in a message'),
    code: pointer.optional().describe('Place of the code'),
    text: pointer.optional().describe('Place of the text, in which the code is sought'),
    pattern: codePattern,
  });
}

/** For reports: says that a section stands in the file, and nothing of what is in it. */
const saidAsGiven = (section: object | undefined) => (section ? 'given' : undefined);

function otpSchema(readEnv: ReadEnv) {
  return section({
    sink: sinkSchema.optional().describe('The kit is the SMS gateway'),
    outbox: inReports(
      outboxSchema(readEnv).optional().describe('The kit asks for the messages'),
      saidAsGiven,
    ),
    fixed: inReports(
      secret(section({ code: textOrEnv(readEnv, { secret: true }).describe('The code') }))
        .optional()
        .describe('The code is always the same'),
      saidAsGiven,
    ),
    ask: inReports(switchValue.optional().describe('The code is asked on the terminal')),
    prefix: inReports(
      text
        .regex(/^\+?\d{1,6}$/, 'must be digits, such as 1')
        .optional()
        .describe('What your server puts before the phone'),
    ),
    lifetimeSeconds: inReports(whole(1, 86_400).optional().describe('How long a code lives')),
    resendAfterSeconds: inReports(
      whole(0, 86_400).optional().describe('How long after a code another may follow'),
    ),
    perMinute: whole(1, 100_000)
      .optional()
      .describe('Limit of codes a minute to one address, which the kit keeps'),
    perDay: whole(1, 100_000).optional().describe('Limit of codes a day to one phone, which the kit keeps'),
  }).meta(exactlyOne('sink', 'outbox', 'fixed', 'ask'));
}

export type SinkSettings = z.output<typeof sinkSchema>;
export type OutboxSettings = z.output<ReturnType<typeof outboxSchema>>;

export function publishedSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(
    adapterSchema(() => undefined),
    { io: 'input' },
  );
  // The way through text drops members that are undefined or not enumerable.
  return JSON.parse(JSON.stringify({ title: 'Adapter file of the conformance kit', ...schema }));
}
