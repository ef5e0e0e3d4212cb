/** Every text of the page in its three languages, in one table. */
import type { FaultKind, PersonCard, Scenario } from '../../api.ts';
import { clauseTexts } from './clauses.ts';
import { controlTexts } from './controls.ts';
import { exchangeTexts } from './exchange.ts';
import { explainedTexts } from './explained.ts';
import { faultTexts } from './faults.ts';
import { frameTexts } from './frame.ts';
import { peopleTexts } from './people.ts';
import { playingTexts } from './playing.ts';
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

export const table = { ...frameTexts, ...exchangeTexts, ...controlTexts, ...playingTexts, ...explainedTexts };
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

/** Words of the console with their language: English where they have no translation. */
export type Words = { readonly text: string; readonly lang: Language };

function wordsIn(language: Language, english: string, translated?: readonly [string, string]): Words {
  if (language === 'en' || !translated) return { text: english, lang: 'en' };
  return { text: translated[language === 'ru' ? 0 : 1], lang: language };
}

export function personIn(language: Language, { name, title, outcome }: PersonCard) {
  const own = peopleTexts[name];
  return {
    title: wordsIn(language, title, own?.title).text,
    outcome: wordsIn(language, outcome, own?.outcome).text,
  };
}

export function scenarioIn(language: Language, { id, title, sentence }: Scenario) {
  const own = scenarioTexts[id];
  const { text, lang } = wordsIn(language, title, own?.title);
  return { title: text, sentence: wordsIn(language, sentence, own?.sentence).text, lang };
}

export function faultKindIn(language: Language, { name, title }: FaultKind): Words {
  return wordsIn(language, title, faultTexts[name]);
}

/** Returns the words of a step of a scenario. */
export function stepIn(language: Language, step: string): Words {
  return wordsIn(language, step, stepTexts[step]);
}

/** Returns what the check of a verdict requires. */
export function requiredIn(language: Language, { check, title }: { check: string; title: string }): Words {
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
  const apart = (of: string) => say('clockApart', { party: say(of as 'ehr'), time });
  return { text: party === undefined ? say('clockMoved', { time }) : apart(party), lang: language };
}
