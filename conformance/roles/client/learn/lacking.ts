/** Says what is left to do after a recording of a client, each with the one action that does or shows it. */
import type { ClientChoices } from '../init.ts';
import { isFixedHere, type SeenClient, type SeenServer } from './seen-client.ts';

/** One sentence for each. */
export function leftToDo(
  { address, auth, ehr, page }: SeenClient,
  { way, authPort, ehrPort }: Pick<ClientChoices, 'way' | 'authPort' | 'ehrPort'>,
): string[] {
  const servers = [
    ...serverTold('authorization server', 'sign in with a code', auth, authPort),
    ...serverTold('EHR server', 'link and open the record', ehr, ehrPort),
  ];
  if (way !== 'browser') return servers;
  const pageTold = address
    ? []
    : ['Not seen: the page. To show it, open its address while the browser records.'];
  return [...pageTold, ...servers, ...wordsTold(page)];
}

function serverTold(name: string, action: string, server: SeenServer | undefined, port: string): string[] {
  if (!server)
    return [`Not seen: a call of JSON-RPC to the ${name}. To show it, ${action} while the browser records.`];
  if (server.isInQuery) return [];
  if (isFixedHere(server))
    return [`Stop the ${name} at ${server.value}: the kit listens there while it judges.`];
  return [`Let your client find the ${name} at http://127.0.0.1:${port}; it calls ${server.value} now.`];
}

const FORMS = { signIn: 'the phone', enterCode: 'the code', fillForm: 'the form about the person' } as const;
const BUTTONS = {
  resend: 'another code',
  logout: 'logging out',
  disconnect: 'disconnecting',
  deleteAccount: 'deleting the account',
} as const;

function wordsTold({ forms, buttons }: SeenClient['page']): string[] {
  const namesOf = <Key extends string>(
    words: Readonly<Record<Key, string>>,
    known: Readonly<Partial<Record<Key, unknown>>>,
  ) => (Object.keys(words) as Key[]).filter((key) => !known[key]).map((key) => words[key]);
  const missing = [...namesOf(FORMS, forms), ...namesOf(BUTTONS, buttons)];
  if (missing.length === 0) return [];
  return [
    `Not seen in the HTML: the words for ${missing.join(', ')}. To show them, open these screens, and write the words of fields and buttons into browser.actions and browser.screens.`,
  ];
}
