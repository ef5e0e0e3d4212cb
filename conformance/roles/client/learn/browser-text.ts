/** Writes the section `browser` of the file about a client, with what is known of the words of its page. */
import { evidenceOf, type SeenFact } from '../../../engine/learn/seen-fact.ts';
import type { ButtonKind, FieldKind } from './kinds.ts';
import type { KnownForm, SeenPage } from './seen-page.ts';

type FormName = keyof SeenPage['forms'];

/** The words that are written where nothing is known. */
const USUAL: Readonly<
  Record<FormName, Pick<KnownForm, 'press'> & { fields: Partial<Record<FieldKind, string>> }>
> = {
  signIn: { fields: { phone: 'Phone number' }, press: 'Send code' },
  enterCode: { fields: { code: 'Code' }, press: 'Confirm' },
  fillForm: {
    fields: {
      name: 'Given name',
      surname: 'Family name',
      date: 'Date of birth',
      gender: 'Gender',
      phone: 'Phone number',
    },
    press: 'Find my record',
  },
};
const USUAL_BUTTONS: Readonly<Record<ButtonKind, string>> = {
  resend: 'Send a new code',
  logout: 'Log out',
  disconnect: 'Disconnect',
  deleteAccount: 'Delete my data',
};

/**
 * Returns the section as YAML.
 * @param place the address, as YAML
 * @param page what a recording shows of the page; undefined: there is no recording
 */
export function browserText(place: string, page?: SeenPage): string {
  const { logout } = page?.buttons ?? {};
  return `browser:
  address: ${place}
  # The kit can serve the page itself:
  # start:
  #   command: [node, serve.js, --port, "\${port}", --auth-url, "\${authUrl}", --ehr-url, "\${ehrUrl}"]
  # Fields by their labels, buttons and links by their words.${page ? '' : ' All words here are a guess.'}
  actions:
    signIn:
${logout ? `      # A person who is signed in logs out first.\n      - mayPress: ${quoted(logout.value)}\n` : ''}${formText('signIn', page)}    resend:
${buttonText('resend', page)}    enterCode:
${formText('enterCode', page)}    fillForm:
${formText('fillForm', page)}    readPatient:
      - reload: true
    logout:
${buttonText('logout', page)}    disconnect:
${buttonText('disconnect', page)}      - mayPress: "Yes, disconnect"
    deleteAccount:
${buttonText('deleteAccount', page)}      - mayPress: "Yes, delete"
${screensText(page)}  # What the page shows while it works.
  busy: [One moment]
`;
}

const quoted = (words: string): string => JSON.stringify(words);
const listed = (words: readonly string[]): string => `[${words.map(quoted).join(', ')}]`;

/** The comment beside words that a recording shows, or that it does not show. */
function comment(page: SeenPage | undefined, guess: SeenFact<unknown> | undefined): string {
  if (guess) return evidenceOf(guess.value, guess, '      ');
  return page ? '      # Not seen in the HTML of the recording: these words are invented.\n' : '';
}

function formText(name: FormName, page: SeenPage | undefined): string {
  const guess = page?.forms[name];
  const { fields, press } = guess?.value ?? USUAL[name];
  const kinds = Object.keys(USUAL[name].fields) as FieldKind[];
  const lines = kinds.flatMap((kind) => {
    const label = fields[kind];
    if (label === undefined) return [];
    return kind === 'gender'
      ? [genderText(label, guess?.value.genders)]
      : [`      - fill: { field: ${quoted(label)}, with: "\${${kind}}" }\n`];
  });
  return `${comment(page, guess)}${lines.join('')}      - press: ${quoted(press)}\n`;
}

function genderText(label: string, genders: KnownForm['genders'] = {}): string {
  const words = Object.entries(genders).map(([code, option]) => `"${code}": ${quoted(option)}`);
  const others = words.length > 0 ? `, words: { ${words.join(', ')} }` : '';
  return `      # Left out where the person states none.
      - choose: { field: ${quoted(label)}, option: "\${gender?}"${others} }
`;
}

/** A button that ends something may be pressed a second time, after an error. */
function buttonText(kind: ButtonKind, page: SeenPage | undefined): string {
  const guess = page?.buttons[kind];
  const words = guess?.value ?? USUAL_BUTTONS[kind];
  const press = kind === 'resend' ? quoted(words) : listed([words, 'Try again']);
  return `${comment(page, guess)}      - press: ${press}\n`;
}

/** How the screens are told apart: by the buttons that one screen has and the others lack. */
function screensText(page: SeenPage | undefined): string {
  const { signIn, enterCode, fillForm } = page?.forms ?? {};
  const [start, code, form] = [signIn, enterCode, fillForm].map((guess) => guess?.value.text);
  const logout = page?.buttons.logout?.value;
  const of = (text: string | undefined, others: readonly (string | undefined)[], usual: string) => {
    const not = others.filter((other) => other !== undefined);
    if (text === undefined) return listed([usual]);
    return not.length === 0 ? listed([text]) : `{ anyOf: ${listed([text])}, not: ${listed(not)} }`;
  };
  return `  # Texts that stand on one screen alone. Where none of them stands, the person sees an error.
  screens:
    code: ${of(code, [], 'Enter the code')}
    form: ${of(form, [], 'Tell us who you are')}
    patient: ${of(logout, [start, code, form], 'Your health record')}
    signedOut: ${of(start, [logout, code, form], 'Sign in')}
    error: [did not work]
`;
}
