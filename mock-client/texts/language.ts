/** The languages of the page, and how a text of its table is found and completed. */

/** In the order of each row of the table. */
export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

/** One text in every language. */
export type Row = readonly [english: string, russian: string];

/** A message to the reader, in every language. */
export type MessageText = { readonly title: Row; readonly text: Row };

export function message(title: Row, ...text: Row): MessageText {
  return { title, text };
}

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', ru: 'Русский' };

/** For `Intl`: how days and numbers are written. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU' };

/** Values for the places in braces of a text. */
export type Values = Readonly<Record<string, string | number>>;

/** @example textIn('ru', ['{n} digits', '{n} цифр'], { n: 6 }) // '6 цифр' */
export function textIn(language: Language, row: Row, values: Values = {}): string {
  return (
    row[languages.indexOf(language)]?.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place)) ??
    ''
  );
}

/** Returns the language that the reader chose, else the first of the browser that is here, else English. */
export function languageFor(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = [chosen ?? '', ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}
