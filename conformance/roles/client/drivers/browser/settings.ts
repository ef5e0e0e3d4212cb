/** The section `browser` of the file about a client: where its page is, and what a person does there. */
import { z } from 'zod';
import {
  anyText,
  command,
  environment,
  inReports,
  milliseconds,
  type ReadEnv,
  section,
  text,
  url,
} from '../../../../engine/party/file/fields.ts';
import { variablesIn } from '../../../../engine/party/requests/template.ts';
import { screens, ZONE } from '../driver.ts';

/** A text that may contain these templates (`${name}`) and no other. */
export function templated(names: readonly string[], mayBeOptional = false) {
  const hasKnown = (value: string) =>
    variablesIn(value)?.every(({ name, optional }) => names.includes(name) && (mayBeOptional || !optional)) ??
    false;
  const list = names.map((name) => `\${${name}}`).join(', ');
  return anyText.refine(hasKnown, `may have the templates ${list}, and no other`);
}

export const TYPED = ['phone', 'code', 'name', 'surname', 'date', 'year', 'month', 'day', 'gender'] as const;
export type TypedName = (typeof TYPED)[number];

const texts = z.union([text.transform((one) => [one]), z.array(text).min(1, 'must have a text')]);
const typed = templated(TYPED, true);

const KINDS = ['open', 'reload', 'fill', 'choose', 'press', 'mayPress', 'dialog', 'sees'] as const;

const stepSchema = section({
  open: z.literal(true).optional().describe('true: the page is opened at its address'),
  reload: z.literal(true).optional().describe('true: the page is reloaded'),
  fill: section({ field: text.describe('Its label'), with: typed.describe('What is typed') })
    .optional()
    .describe('A field is filled in'),
  choose: section({
    field: text.describe('Its label'),
    option: typed.describe('The option, by its words or its value'),
    words: z.record(z.string(), text).optional().describe('The words of an option, where they are others'),
  })
    .optional()
    .describe('An option is chosen; the step is left out when the template is optional and has no value'),
  press: texts.optional().describe('A button or link is pressed: the first of these that is there'),
  mayPress: texts.optional().describe('The same, but nothing is pressed when none of them is there'),
  dialog: section({
    answer: z.enum(['accept', 'dismiss'], 'must be accept or dismiss').default('accept'),
    with: text.optional().describe('What is typed into it'),
  })
    .optional()
    .describe('The step before opens a dialog of the browser; one that no step names is accepted'),
  sees: texts.optional().describe('One of these texts must be seen before the next step'),
}).refine((step) => KINDS.filter((kind) => step[kind] !== undefined).length === 1, {
  error: `must be one of ${KINDS.join(', ')}`,
});

export type BrowserStep = z.output<typeof stepSchema>;

const steps = z.array(stepSchema, 'must be a list of steps').min(1, 'must have a step');

const actionsSchema = section({
  signIn: steps.describe('The person signs in with the template phone, up to the request of a code'),
  resend: steps.describe('The person asks for another code'),
  enterCode: steps.describe('The person enters the template code'),
  fillForm: steps.describe(
    'The person fills in the templates name, surname, date and so on, and sends the form',
  ),
  readPatient: steps.describe('The person opens the record'),
  logout: steps.describe('The person logs out'),
  disconnect: steps.optional().describe('The person disconnects the record'),
  deleteAccount: steps.optional().describe('The person deletes the account'),
});

function isValid(make: () => unknown): boolean {
  try {
    return Boolean(make());
  } catch {
    return false;
  }
}

const pattern = text.refine(
  (value) => isValid(() => new RegExp(value, 'u')),
  'must be a regular expression of JavaScript',
);

const screenTexts = z.union([
  texts.transform((anyOf) => ({ anyOf, not: [] as string[], matches: undefined })),
  section({
    anyOf: texts.default([]).describe('One of these texts stands there'),
    matches: pattern.optional().describe('The text of the page has this regular expression'),
    not: texts.default([]).describe('None of these texts stands there'),
  }).refine(({ anyOf, matches }) => anyOf.length > 0 || matches !== undefined, 'must have anyOf or matches'),
]);
export type ScreenTexts = z.output<typeof screenTexts>;

const screenShape = Object.fromEntries(
  screens.map((screen) => [screen, screenTexts.describe(`Texts of ${screen} alone, or what tells it apart`)]),
);
const screensSchema = section(screenShape as Record<(typeof screens)[number], typeof screenTexts>);

/** The address of the page, whose query may hand over the addresses of the kit's servers. */
const pageAddress = url.pipe(templated(['port', 'authUrl', 'ehrUrl']));

export const abilities = ['reload', 'back', 'two tabs'] as const;
export type Ability = (typeof abilities)[number];

/** Where the person is, as the page sees it. */
const placeSchema = {
  language: inReports(
    text
      .refine((tag) => isValid(() => Intl.getCanonicalLocales(tag)), 'must be a language such as ru-RU')
      .default('en-US')
      .describe('The language that the browser asks for'),
  ),
  zone: inReports(
    text
      .refine(
        (name) => isValid(() => Intl.DateTimeFormat('en', { timeZone: name })),
        'must be a time zone such as Europe/Berlin',
      )
      .default(ZONE)
      .describe('The time zone of the browser. The one given shows dates of birth that a zone shifts'),
  ),
  authority: text
    .optional()
    .describe(
      'The authority that signs the certificate of the page, a file in PEM format relative to this file',
    ),
};

export function browserSchema(readEnv: ReadEnv) {
  const argument = templated(['authUrl', 'ehrUrl', 'port', 'node']);
  return section({
    address: inReports(
      pageAddress.describe('Where the page is, with the templates port, and authUrl and ehrUrl in its query'),
    ),
    start: section({
      command: command(argument).describe(
        'The program and its arguments, with the templates authUrl, ehrUrl, port and node',
      ),
      cwd: text.optional().describe("Working directory, relative to this file; this file's own unless given"),
      env: environment(readEnv).default({}).describe('Environment variables beside those of the kit itself'),
      readyWithinMs: milliseconds.default(60_000).describe('How long it may take until the address answers'),
    })
      .optional()
      .describe('How the kit starts the server of the page; left out where it runs already'),
    ...placeSchema,
    program: text.optional().describe('Path of Chrome or Chromium; the kit looks for one unless given'),
    actions: actionsSchema.describe('What a person does on the page for each action'),
    screens: screensSchema.describe('Texts by which a person knows where they are'),
    order: z
      .array(z.enum(screens, `must be among ${screens.join(', ')}`))
      .default([])
      .describe('Where texts of several screens stand on a page, the first of these is the screen'),
    busy: texts.default([]).describe('Texts that say that the page is at work'),
    can: inReports(
      z
        .array(z.enum(abilities, `must be among ${abilities.join(', ')}`))
        .default([...abilities])
        .describe('What a person can do with the page besides'),
    ),
    quietMs: milliseconds
      .optional()
      .describe('How long a page must stay as it is to be read; found out by the kit unless given'),
  });
}

export type BrowserSettings = z.output<ReturnType<typeof browserSchema>>;
