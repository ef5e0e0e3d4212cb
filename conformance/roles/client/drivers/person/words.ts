/**
 * The words between the kit and a person who drives the client: a sentence for each action, and the answers.
 */
import type { Action, FormValues, Screen, Seen } from '../driver.ts';

const GENDERS = ['male', 'female', 'other', 'recorded as unknown'];

function formWords({ name, surname, date, phone, gender }: FormValues): string {
  const said = gender === undefined ? 'none' : GENDERS[gender];
  return `given name ${name}, family name ${surname}, born on ${date}, phone ${phone}, gender ${said}`;
}

/** The sentence for an action. */
export function sentenceFor(action: Action): string {
  switch (action.do) {
    case 'signIn':
      return `Sign in with the phone ${action.phone}, and ask for a code.`;
    case 'enterCode':
      return `Enter the code ${action.code}.`;
    case 'fillForm':
      return `Fill in the form and send it: ${formWords(action.values)}.`;
    default:
      return SENTENCES[action.do];
  }
}

const SENTENCES: Readonly<Record<Exclude<Action['do'], 'signIn' | 'enterCode' | 'fillForm'>, string>> = {
  resend: 'Ask for another code.',
  readPatient: 'Open the record, or open it again where it is open.',
  logout: 'Log out; where that has failed, try again.',
  disconnect: 'Disconnect the record.',
  deleteAccount: 'Delete the account; where that has failed, try again.',
  restart: 'Close the client without logging out, and open it again.',
  reload: 'Reload the page.',
  back: 'Press the back button.',
  otherTab: 'Go to the other tab.',
  offline: 'Switch the network off.',
  online: 'Switch the network on.',
};

/** The letters by which the person names the screen. */
const KEYS: Readonly<Record<string, Screen>> = {
  c: 'code',
  f: 'form',
  r: 'patient',
  s: 'signedOut',
  e: 'error',
};

/** The legend of the letters, for the person. */
export const KEY_WORDS =
  'Answer by a letter and Enter: c code, f form, r record, s signed out, e error; after it what is said, such as: f No record fits.';

/** Reads an answer of the person: a letter, and the words of the screen. Undefined: the line is no answer. */
export function seenBy(line: string): Seen | undefined {
  const [, key = '', text = ''] = /^\s*([a-z])(?:\s+(.*))?$/iu.exec(line) ?? [];
  const sees = KEYS[key.toLowerCase()];
  if (sees === undefined) return undefined;
  return { sees, text: text.trim(), ...(sees === 'patient' && { patient: 'shown to the person' }) };
}
