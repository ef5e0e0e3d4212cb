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
  open: z.literal(true).optional().describe('The page is opened'),
  reload: z.literal(true).optional().describe('The page is reloaded'),
  fill: section({ field: text.describe('Its label'), with: typed.describe('What is typed') })
    .optional()
    .describe('A field is filled in'),
  choose: section({
    field: text.describe('Label of the list, or of the group of radio buttons'),
    option: typed.describe('Its words or its value'),
    words: z
      .record(z.string(), text)
      .optional()
      .describe('Its words for each value, where they are others, such as { "0": Man, "1": Woman }'),
  })
    .optional()
    .describe('An option is chosen'),
  press: texts.optional().describe('The first of these buttons, links or checkboxes is pressed'),
  mayPress: texts.optional().describe('The same, where one is there'),
  dialog: section({
    answer: z.enum(['accept', 'dismiss'], 'must be accept or dismiss').default('accept'),
    with: text.optional().describe('What is typed into it'),
  })
    .optional()
    .describe('The step before opens a dialog'),
  sees: texts.optional().describe('One of these texts must be seen'),
}).refine((step) => KINDS.filter((kind) => step[kind] !== undefined).length === 1, {
  error: `must be one of ${KINDS.join(', ')}`,
});

export type BrowserStep = z.output<typeof stepSchema>;

const steps = z.array(stepSchema, 'must be a list of steps').min(1, 'must have a step');

const actionsSchema = section({
  signIn: steps.describe('Asks for a code'),
  resend: steps.describe('Asks for another code'),
  enterCode: steps.describe('Enters the code'),
  fillForm: steps.describe('Sends the form; where no step types the phone, with that of the sign-in'),
  readPatient: steps.describe('Opens the record'),
  logout: steps.describe('Logs out'),
  disconnect: steps.optional().describe('Disconnects the record'),
  deleteAccount: steps.optional().describe('Deletes the account'),
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
  screens.map((screen) => [screen, screenTexts.describe(`Texts of ${screen} alone`)]),
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
      .describe('Language of the browser'),
  ),
  zone: inReports(
    text
      .refine(
        (name) => isValid(() => Intl.DateTimeFormat('en', { timeZone: name })),
        'must be a time zone such as Europe/Berlin',
      )
      .default(ZONE)
      .describe('Time zone of the browser'),
  ),
  authority: text.optional().describe('Who signs the certificate of the page'),
};

export function browserSchema(readEnv: ReadEnv) {
  const argument = templated(['authUrl', 'ehrUrl', 'port', 'node']);
  return section({
    address: inReports(pageAddress.describe('Where the page is')),
    start: section({
      command: command(argument).describe('The program and its arguments'),
      cwd: text.optional().describe("Working directory; the file's unless given"),
      env: environment(readEnv).default({}).describe('More environment variables'),
      readyWithinMs: milliseconds.default(60_000).describe('How long the start may take'),
    })
      .optional()
      .describe('How the kit starts its server'),
    ...placeSchema,
    program: text.optional().describe('Chrome or Chromium; sought unless given'),
    actions: actionsSchema.describe('What a person does'),
    screens: screensSchema.describe('Texts of each screen'),
    order: z
      .array(z.enum(screens, `must be among ${screens.join(', ')}`))
      .default([])
      .describe('Which screen counts where several fit'),
    busy: texts.default([]).describe('Texts of a page at work'),
    can: inReports(
      z
        .array(z.enum(abilities, `must be among ${abilities.join(', ')}`))
        .default([...abilities])
        .describe('What can be judged besides'),
    ),
    quietMs: milliseconds.optional().describe('How long a page must rest; found out unless given'),
  });
}

export type BrowserSettings = z.output<ReturnType<typeof browserSchema>>;
