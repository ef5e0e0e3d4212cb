/** Defects of matching: which properties count, and how they are compared. */
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Patient } from '#protocol/fields.ts';
import type { EhrDefect } from './defect.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  inCalls,
  inReplies,
  type Members,
  paramsOf,
  patientFitting,
  propertiesIn,
  reasonOf,
  refusal,
  success,
  type WireCall,
  withParams,
} from './messages.ts';
import { matchesOnlyIf, refusesForm, searchesBy, withMis, withRules } from './parts.ts';

const NAMES = ['name', 'surname'] as const;
const HOUR_MS = 3_600_000;

/** Each property that a search by phone looks at. */
const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

/** Compares names after another folding, or none. */
const comparesNames = (fold: (name: string) => string) =>
  matchesOnlyIf((sent, patient) =>
    NAMES.every((name) => sent[name] === undefined || fold(String(sent[name])) === fold(patient[name])),
  );

const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
const hasPhone =
  (change: (phone: string) => string) =>
  (sent: Members, { phones }: Patient) =>
    sent.phone === undefined || phones.some((phone) => change(String(sent.phone)) === phone);

/** The calendar day of an instant that was read in the zone of the server. */
const dayIn =
  (offsetMs: number) =>
  (sent: Members, { birthdate }: Patient) => {
    const instant = new Date(String(sent.date).replace(' ', 'T').replace(/Z?$/, 'Z'));
    return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10) === birthdate.slice(0, 10);
  };

const changesProperties = (change: (sent: Members) => Members) =>
  inCalls((call) =>
    call.method === AUTHENTICATE ? withParams(call, { patientProperties: change(propertiesIn(call)) }) : call,
  );

type Row = readonly [id: string, title: string, change: EhrDefect['change'], caughtBy: string, ...seenIn: string[]];

const isDate = (pattern: RegExp) => (sent: Members) => pattern.test(String(sent.date));

const ROWS: readonly Row[] = [
  ['name-not-compared', 'The name is not compared', without('name'), 'every-property-counts'],
  ['surname-not-compared', 'The surname is not compared', without('surname'), 'every-property-counts'],
  ['day-not-compared', 'The day of birth is not compared', without('day'), 'every-property-counts'],
  ['phone-not-compared', 'The phone is not compared', without('phone'), 'every-property-counts'],
  ['gender-not-compared', 'gender is ignored', without('gender'), 'gender-must-agree'],
  [
    'gender-required',
    'gender is required',
    withRules({ matchingRequired: ['name', 'surname', 'date', 'phone', 'gender'] }),
    'gender-must-agree',
  ],
  [
    'phone-not-required',
    'A search without a phone is carried out',
    withRules({ matchingRequired: ['name', 'surname', 'date'] }),
    'required-properties',
  ],
  [
    'day-not-required',
    'A search without a day of birth is carried out',
    withRules({ matchingRequired: ['name', 'surname', 'phone'] }),
    'required-properties',
  ],
  [
    'name-not-required',
    'A search without a name is carried out',
    withRules({ matchingRequired: ['surname', 'date', 'phone'] }),
    'required-properties',
  ],
  [
    'date-without-fraction-refused',
    'A date without its fraction is refused',
    refusesForm(isDate(/ \d\d:\d\d:\d\d$/)),
    'forms-of-date',
  ],
  ['date-of-iso-refused', 'A date with T is refused', refusesForm(isDate(/T/)), 'forms-of-date'],
  ['date-with-z-refused', 'A date with a space and Z is refused', refusesForm(isDate(/ .*Z$/)), 'forms-of-date'],
  ['day-alone-refused', 'A day without time is refused', refusesForm(isDate(/^.{10}$/)), 'forms-of-date'],
  [
    'day-shifted-east',
    'The date is an instant, and its day that of a zone in the east',
    matchesOnlyIf(dayIn(3 * HOUR_MS)),
    'day-alone-compared',
    'msupply-foundation/mobile#4334',
    'medizininformatik-initiative/INTERPOLAR#528',
  ],
  [
    'day-shifted-west',
    'The date is an instant, and its day that of a zone in the west',
    matchesOnlyIf(dayIn(-5 * HOUR_MS)),
    'day-alone-compared',
    'msupply-foundation/mobile#4334',
    'medizininformatik-initiative/INTERPOLAR#528',
  ],
  [
    'names-by-letter',
    'Names are compared with their capitals',
    comparesNames((name) => name.trim().normalize('NFC').replaceAll('ё', 'е')),
    'names-in-any-case',
  ],
  [
    'names-with-their-spaces',
    'Names are compared with the spaces around them',
    comparesNames((name) => name.toLowerCase()),
    'names-with-spaces',
  ],
  [
    'decomposed-letters-differ',
    'Composed and decomposed letters differ',
    comparesNames((name) => name.trim().toLowerCase()),
    'names-across-unicode',
    'unmade/shelf-back#50',
    'uewepuep/FPVTracksideCore#75',
  ],
  [
    'yo-differs',
    'In names ё and е differ',
    comparesNames((name) => name.trim().toLowerCase().normalize('NFC')),
    'names-with-yo',
  ],
  [
    'phone-by-character',
    'Phones are compared by their characters',
    matchesOnlyIf(hasPhone((phone) => phone)),
    'phone-punctuation',
  ],
  [
    'phone-dots-differ',
    'The dots of a phone are compared',
    matchesOnlyIf(hasPhone((phone) => phone.replace(/[\s+()-]/g, ''))),
    'phone-punctuation',
  ],
  [
    'leading-eight-differs',
    'A leading 8 and a leading 7 differ',
    matchesOnlyIf(hasPhone(digits)),
    'phone-leading-eight',
  ],
  [
    'extension-compared',
    'The digits of an extension are compared',
    matchesOnlyIf(hasPhone((phone) => digits(phone).replace(/^8(?=\d{10}$)/, '7'))),
    'phone-extension',
  ],
  [
    'empty-strategy-refused',
    'An empty searchStrategy is refused',
    refusesForm(({ searchStrategy }) => searchStrategy === ''),
    'empty-means-absent',
  ],
  [
    'null-card-refused',
    'A medCardId of null is refused',
    refusesForm(({ medCardId }) => medCardId === null),
    'empty-means-absent',
  ],
  [
    'gender-null-refused',
    'A gender of null is refused',
    refusesForm(({ gender }) => gender === null),
    'empty-means-absent',
  ],
  [
    'card-without-search',
    'A search by MEDCARD is refused as one without a card',
    refusesForm(({ searchStrategy }) => searchStrategy === 'MEDCARD'),
    'medcard-strategy',
  ],
  [
    'phone-in-the-place-of-card',
    'A search by MEDCARD without a card is one by phone',
    changesProperties((sent) => (sent.medCardId ? sent : { ...sent, searchStrategy: 'PHONE' })),
    'medcard-needs-card',
  ],
  [
    'numbers-as-texts',
    'A phone that is a number is read as a text',
    changesProperties((sent) => ({ ...sent, phone: typeof sent.phone === 'number' ? String(sent.phone) : sent.phone })),
    'types-of-properties',
  ],
  [
    'gender-beyond-table',
    'A gender of no code is ignored',
    changesProperties(({ gender, ...sent }) => ([0, 1, 2, 3].includes(gender as number) ? { ...sent, gender } : sent)),
    'gender-codes',
  ],
];

/** Takes a condition in the place of a property, as a database does. */
const takesConditions = answering(() => async (call, tools) => {
  const { rules } = tools.parts;
  const sent = propertiesIn(call);
  const plain = Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value !== 'object'));
  if (call.method !== AUTHENTICATE || Object.keys(plain).length === Object.keys(sent).length) return tools.next();
  const query = withParams(call, { patientProperties: plain });
  const fitting = await patientFitting(query, { ...tools.parts, rules: { ...rules, matchingRequired: [] } });
  return fitting ? success(call, tools.parts) : refusal(call, 'patient_not_matched');
});

const onlyWhereRefused = (reason: string, answer: (call: WireCall) => Members | null) =>
  inReplies((reply, call) =>
    call.method === AUTHENTICATE && reasonOf(reply) === reason ? (answer(call) ?? reply) : reply,
  );

export const matchingDefects: readonly EhrDefect[] = [
  ...ROWS.map(([id, title, change, caughtBy, ...seenIn]) => ({
    id,
    title,
    change,
    caughtBy,
    ...(seenIn.length > 0 && { seenIn }),
  })),
  {
    id: 'first-of-several',
    title: 'Of two patients who fit the first is taken',
    change: withMis((mis) => ({ match: async (query) => (await mis.match(query)).slice(0, 1) })),
    caughtBy: 'ambiguous-not-matched',
    seenIn: ['CodeForPhilly/paws-data-pipeline#308', 'metriport/metriport#4467'],
  },
  {
    id: 'several-told-apart',
    title: 'The answer says that several patients fit',
    change: answering(() => async (call, tools) => {
      const reply = await tools.next();
      const isSeveral = reasonOf(reply) === 'patient_not_matched' && (await patientFitting(call, tools.parts));
      return isSeveral
        ? {
            ...reply,
            error: { code: -34001, message: 'Several patients fit.', data: { reason: 'patient_not_matched' } },
          }
        : reply;
    }),
    caughtBy: 'ambiguous-not-matched',
  },
  {
    id: 'inactive-matched',
    title: 'An inactive patient matches',
    change: { patients: (patients) => patients.map((patient) => ({ ...patient, active: true, deceased: false })) },
    caughtBy: 'inactive-not-matched',
  },
  {
    id: 'condition-as-property',
    title: 'A property given as an object or a list is a condition that everybody meets',
    change: takesConditions,
    caughtBy: 'conditions-match-nobody',
    seenIn: ['KathiraveluLab/Beehive#484'],
  },
  {
    id: 'params-in-any-shape',
    title: 'Patient properties given as a list are read from its first element',
    change: inCalls((call) => {
      const { patientProperties } = paramsOf(call);
      return Array.isArray(patientProperties) ? withParams(call, { patientProperties: patientProperties[0] }) : call;
    }),
    caughtBy: 'params-of-authenticate',
  },
  {
    id: 'faults-acknowledged',
    title: 'authenticate with wrong params is acknowledged',
    change: onlyWhereRefused('invalid_params', (call) => accepted(call, {})),
    caughtBy: 'params-of-authenticate',
  },
  {
    id: 'string-ids-refused',
    title: 'A call whose id is a text is refused',
    change: answering(
      () =>
        (call, { next }) =>
          typeof call.id === 'string' ? refusal(call, 'invalid_request') : next(),
    ),
    caughtBy: 'field-client-served',
  },
  {
    id: 'api-key-refused',
    title: 'A call with a member of the field is refused',
    change: answering(
      () =>
        (call, { next }) =>
          'apiKey' in call ? refusal(call, 'invalid_request') : next(),
    ),
    caughtBy: 'empty-params-taken',
  },
];
