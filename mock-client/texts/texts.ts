/** Every text of the page in its two languages, in one table. */
import { formTexts } from './form.ts';
import { type Language, textIn, type Values } from './language.ts';
import { pageTexts } from './pages.ts';
import { recordTexts } from './record.ts';
import { wireTexts } from './wire.ts';

export const table = { ...pageTexts, ...formTexts, ...recordTexts, ...wireTexts };
export type TextKey = keyof typeof table;
export type Say = (key: TextKey, values?: Values) => string;

/** @example sayIn('ru')('sendCode') // 'Отправить код' */
export function sayIn(language: Language): Say {
  return (key, values) => textIn(language, table[key], values);
}
