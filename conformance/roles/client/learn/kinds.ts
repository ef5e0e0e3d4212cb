/** Tells what the fields and buttons of a page are for, by the names and words that pages give them. */
import type { PageButton, PageField } from './html.ts';

/** The purpose of a field, by the name of the template that fills it. */
export type FieldKind = 'phone' | 'code' | 'name' | 'surname' | 'date' | 'gender';

/** What a button does besides sending its form. */
export type ButtonKind = 'resend' | 'logout' | 'disconnect' | 'deleteAccount';

/** Values of autocomplete, from the HTML standard, and types of inputs. */
const STANDARD: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['tel', 'phone'],
  ['tel-national', 'phone'],
  ['one-time-code', 'code'],
  ['given-name', 'name'],
  ['family-name', 'surname'],
  ['bday', 'date'],
  ['date', 'date'],
  ['sex', 'gender'],
]);

/** Words in names and labels: English, Russian and German. The first that fits counts. */
const FIELD_WORDS: readonly [FieldKind, RegExp][] = [
  ['surname', /surname|(last|family)[\s_-]?name|фамили|nachname|familienname/i],
  ['name', /(first|given|fore)[\s_-]?name|^name$|(^|\s)имя($|\s)|vorname/i],
  ['date', /birth|(^|[\s_-])(dob|bday)($|[\s_-])|^date$|дата|рожден|geburt/i],
  ['gender', /gender|(^|[\s_-])sex($|[\s_-])|(^|\s)пол($|\s)|geschlecht/i],
  ['phone', /phone|mobile|msisdn|(^|[\s_-])tel($|[\s_-])|телефон|handy/i],
  ['code', /otp|(^|[\s_-])(pin|code)($|[\s_-])|(one|sms|verif)\w*[\s_-]?code|(^|\s)код($|\s)/i],
];

const BUTTON_WORDS: readonly [ButtonKind, RegExp][] = [
  [
    'resend',
    /resend|(another|new) (code|sms)|(code|sms)\b.*\bagain|ещё|повтор|нов\S+ код|erneut|neuen code/i,
  ],
  ['logout', /log\s?out|sign\s?out|выйти|выход|abmelden|ausloggen/i],
  ['disconnect', /disconnect|unlink|отключ|отвязать|trennen/i],
  ['deleteAccount', /delete|erase|удалить|lösch/i],
];

/** Returns the purpose of a field; undefined where neither its names nor its label tell. */
export function kindOfField({ names, type, label }: PageField): FieldKind | undefined {
  const standard = [...names, type]
    .map((name) => STANDARD.get(name.toLowerCase()))
    .find((kind) => kind !== undefined);
  return standard ?? FIELD_WORDS.find(([, words]) => [...names, label].some((text) => words.test(text)))?.[0];
}

/** What the button does; undefined where its words do not tell. */
export const kindOfButton = ({ words }: PageButton): ButtonKind | undefined =>
  BUTTON_WORDS.find(([, pattern]) => pattern.test(words))?.[0];

/** The kit's codes of gender with the words for them. `female` has `male` in it, so it comes first. */
const GENDER_WORDS: readonly [code: string, RegExp][] = [
  ['1', /female|woman|жен|weib|frau/i],
  ['0', /male|man|муж|männ/i],
  ['3', /unknown|неизвест|unbekannt/i],
  ['2', /other|divers|друг|ander/i],
];

/** The words of the options for each code of gender; none where the values of the options are these codes. */
export function genderWords({ options }: PageField): Readonly<Record<string, string>> {
  const codes = GENDER_WORDS.map(([code]) => code);
  if (options.some(({ value }) => codes.includes(value))) return {};
  const left = [...options];
  return Object.fromEntries(
    GENDER_WORDS.flatMap(([code, pattern]) => {
      const at = left.findIndex(({ words }) => pattern.test(words));
      return at < 0 ? [] : [[code, left.splice(at, 1)[0]?.words ?? '']];
    }),
  );
}
