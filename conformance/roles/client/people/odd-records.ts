/** Records of Darya with values that few people think of: markup, signs beyond ASCII, gaps. */
import type { Patient } from '#protocol/wire/fields.ts';
import { people } from './people.ts';

/** Markup which, where a page takes it for more than a text, gives the page the title {@link RAN}. */
const MARKUP = "<img src=x onerror=document.title='RAN'+'-IT'>";
const RAN = 'RAN-IT';

const { patient } = people.darya;

export const markedRecord: Patient = {
  ...patient,
  name: 'Дарьяна 漢字 😀',
  middleName: 'Викентьевна\u202e',
  surname: `Канарейкина<b>&amp;</b>${MARKUP}`,
  address: '19 Canary Wharf Crescent\nSpringfield\u0007',
};

export const sparseRecord = {
  id: patient.id,
  name: patient.name,
  surname: patient.surname,
  phones: [],
  gender: null,
  email: '',
  address: null,
} as unknown as Patient;

export function markupIn(shown: string): 'ran' | 'text' | undefined {
  if (shown.includes(RAN)) return 'ran';
  return shown.toLowerCase().includes(MARKUP.toLowerCase()) ? 'text' : undefined;
}
