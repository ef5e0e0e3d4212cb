/** Every text of the page in its three languages, in one table. */
import type { FaultKind, LiveVerdict, PersonCard, Scenario } from '../../api.ts';
import { clauseTexts } from './clauses.ts';
import { controlTexts } from './controls.ts';
import { exchangeTexts } from './exchange.ts';
import { explainedTexts } from './explained.ts';
import { faultTexts } from './faults.ts';
import { frameTexts } from './frame.ts';
import { peopleTexts } from './people.ts';
import { scenarioTexts } from './scenarios.ts';
import { stepTexts } from './steps.ts';
import { verdictTexts } from './verdicts.ts';

/** In the order of each row of the table. */
export const languages = ['en', 'ru', 'de'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  ru: 'Русский',
  de: 'Deutsch',
};

export const table = { ...frameTexts, ...exchangeTexts, ...controlTexts, ...explainedTexts };
export type TextKey = keyof typeof table;

/** Values for the places in braces of a text. */
export type Values = Readonly<Record<string, string | number>>;
export type Say = (key: TextKey, values?: Values) => string;

/** @example sayIn('de')('scenarioStep', { n: 1, all: 5 }) // 'Schritt 1 von 5' */
export function sayIn(language: Language): Say {
  const column = languages.indexOf(language);
  return (key, values = {}) =>
    (table[key][column] ?? '').replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** Returns the language that the reader chose, else the first of the browser that is here, else English. */
export function languageFor(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = [chosen ?? '', ...preferred].map((tag) => tag.slice(0, 2));
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}

export function personIn(language: Language, person: PersonCard): Pick<PersonCard, 'title' | 'outcome'> {
  const translated = peopleTexts[person.name];
  if (language === 'en' || !translated) return person;
  const column = language === 'ru' ? 0 : 1;
  return { title: translated.title[column], outcome: translated.outcome[column] };
}

/** Returns the words of a scenario, with the language in which they are. */
export function scenarioIn(
  language: Language,
  { id, title, sentence }: Scenario,
): Pick<Scenario, 'title' | 'sentence'> & { lang: Language } {
  const translated = scenarioTexts[id];
  if (language === 'en' || !translated) return { title, sentence, lang: 'en' };
  const column = language === 'ru' ? 0 : 1;
  return { title: translated.title[column], sentence: translated.sentence[column], lang: language };
}

/** Words of the console with their language: English where they have no translation. */
export type Words = { readonly text: string; readonly lang: Language };

export function faultKindIn(language: Language, { name, title }: FaultKind): Words {
  return wordsIn(language, title, faultTexts[name]);
}

/** Returns the words of a step of a scenario. */
export function stepIn(language: Language, step: string): Words {
  return wordsIn(language, step, stepTexts[step]);
}

/** Returns what the check of a verdict requires. */
export function requiredIn(
  language: Language,
  { check, title }: Pick<LiveVerdict, 'check' | 'title'>,
): Words {
  return wordsIn(language, title, verdictTexts[check]);
}

/** Returns what is required of a method. */
export function clauseTextIn(language: Language, method: string, english = ''): Words {
  return wordsIn(language, english, clauseTexts[method]);
}

/** @example clauseIn('de', '§1 rule 8, decision 9') // '§1 Regel 8, Entscheidung 9' */
export function clauseIn(language: Language, clause: string): string {
  const say = sayIn(language);
  return clause
    .replace(/\brule\b/g, say('rule'))
    .replace(/\bdecision\b/g, say('decision'))
    .replace('good practice', say('goodPractice'))
    .replace('test set-ups', say('testSetUps'));
}

/** Returns the name of the party at fault. */
export function partyIn(language: Language, party: string): string {
  const key = PARTIES[party];
  return key === undefined ? party : sayIn(language)(key);
}

/** The kit's names of the parties. */
const PARTIES: Readonly<Record<string, TextKey>> = {
  'auth server': 'auth',
  'EHR server': 'ehr',
  client: 'client',
  harness: 'harness',
  environment: 'environment',
};

/** Returns a remark between the messages: the step of somebody, a moved clock, or what a saved run says. */
export function remarkIn(language: Language, remark: string): Words {
  const [, who = '', step = ''] = /^(\S+) (.+)$/.exec(remark) ?? [];
  const told = stepIn(language, step);
  if (told.lang !== 'en') return { ...told, text: `${who} ${told.text}` };
  const [, party, time] =
    /^(?:(client|auth|ehr) clock set apart|clock moved): it is (.+) UTC$/.exec(remark) ?? [];
  if (time === undefined) return { text: remark, lang: 'en' };
  const say = sayIn(language);
  const text =
    party === undefined
      ? say('clockMoved', { time })
      : say('clockApart', { party: say(party as 'ehr'), time });
  return { text, lang: language };
}

function wordsIn(language: Language, english: string, translated?: readonly [string, string]): Words {
  if (language === 'en' || !translated) return { text: english, lang: 'en' };
  return { text: translated[language === 'ru' ? 0 : 1], lang: language };
}
