/** Prints the personas as a table for a terminal of 80 columns. */
import { GENDERS } from '#protocol/wire/matching.ts';
import { type Persona, personaList } from './personas.ts';

const HEADINGS = ['PERSONA', 'NAME', 'SURNAME', 'BORN', 'GENDER', 'PHONE', 'CARD'];

/** Returns one row for each person to type, then for each persona its description and expected outcome. */
export function personaTable(personas: readonly Persona[] = personaList): string {
  const rows = [HEADINGS, ...personas.flatMap(rowsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
  const notes = personas.map(({ name, title, outcome }) => `${name}: ${title}.\n  ${outcome}`);
  return [
    'Sign in with the phone, then type the rest into the identification form.',
    '',
    ...table,
    '',
    ...notes,
    '',
  ].join('\n');
}

function rowsOf({ name, typed, patients }: Persona): string[][] {
  return typed.map((person, index) => [
    index === 0 ? name : '',
    person.name,
    person.surname,
    person.date.slice(0, 10),
    genderName(person.gender),
    person.phone,
    patients[index]?.medcardNumber ?? '',
  ]);
}

function genderName(code: number): string {
  const [name] = Object.entries(GENDERS).find(([, value]) => value === code) ?? [];
  return `${code} ${name ?? ''}`;
}

/** Returns the width on the screen in columns: a decomposed letter takes one. */
function widthOf(text: string): number {
  return [...text.normalize('NFC')].length;
}
